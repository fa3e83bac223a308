import { type PlainText, t } from '../../language';
import { DurationField } from '../../ui/duration-field';
import { Check, Select } from '../../ui/form';
import { NumberField } from '../../ui/number-field';
import { LabelFields, ZoneField } from '../forms';
import {
  type BoundName,
  type Built,
  type Kind,
  PLAIN,
  readLabel,
  readsZone,
  variableOf,
  withKind,
  writeLabel,
} from './built-rule';
import { Expression, MistakeText } from './expression';
import type { Mistake } from './rule';

const KINDS: readonly (readonly [Kind, PlainText])[] = [
  ['above', 'the value is above'],
  ['below', 'the value is below'],
  ['outside', 'the value is outside a range'],
  ['changes-by', 'the value changes by'],
  ['unchanged-for', 'the value has not changed for'],
  ['average-over', 'the average over a period is above'],
  ['in-zone', 'the sensor is in a zone'],
  ['outside-zone', 'the sensor is outside a zone'],
  ['changes-zone', 'the sensor changes its zone'],
  ['no-data', 'no data arrives for'],
  ['own', 'your own expression is true'],
];

type Typed = Exclude<keyof Built, 'kind'>;

/** The labels of the fields that compare the value, and of the fields that end an episode. */
const LABELS: Readonly<Record<Exclude<Kind, 'no-data' | 'own'>, Partial<Record<Typed, PlainText>>>> = {
  above: { bound: 'Above', end: 'Ends when below' },
  below: { bound: 'Below', end: 'Ends when above' },
  outside: { bound: 'Below', upper: 'Or above', end: 'Ends when above', upperEnd: 'And below' },
  'changes-by': { bound: 'By at least' },
  'unchanged-for': { window: 'For the last' },
  'average-over': { bound: 'Above', window: 'Over the last', end: 'Ends when below' },
  'in-zone': { zone: 'Zone' },
  'outside-zone': { zone: 'Zone' },
  'changes-zone': {},
};

interface BuilderProps {
  built: Built;
  onBuilt: (built: Built) => void;
  mistake: Mistake | undefined;
  /** The fields of the sensor's values. */
  fields: readonly string[];
}

/** The labels of lines on the chart where the label of the field would be ambiguous. */
const LINE_LABELS: Partial<Record<Kind, Partial<Record<BoundName, PlainText>>>> = {
  outside: { upperEnd: 'Ends when below' },
  'average-over': { bound: 'Average above', end: 'Ends when the average is below' },
};

/** The label of the line of a number on the chart, for example “Above”. */
export function lineLabelOf(kind: Kind, name: BoundName): string {
  const own = LINE_LABELS[kind]?.[name];
  const label = own ?? (kind === 'no-data' || kind === 'own' ? undefined : LABELS[kind][name]);
  return label ? t(label) : '';
}

/** The fields that say when a trigger fires and when its episodes end: a kind of rule, or an own expression. */
export function RuleBuilder(props: BuilderProps) {
  const { built, onBuilt, mistake } = props;
  const { kind } = built;
  const set = (name: Typed) => (text: string) => onBuilt({ ...built, [name]: text });
  return (
    <>
      <Select
        label={t('Fires when')}
        value={kind}
        onValue={(value) => onBuilt(withKind(built, value as Kind))} // one of the options
        options={KINDS.map(([name, text]) => [name, t(text)] as const)}
      />
      {kind === 'own' && <OwnExpression {...props} set={set} />}
      {kind !== 'own' && kind !== 'no-data' && <Comparison {...props} kind={kind} set={set} />}
      {kind !== 'own' && <MistakeText mistake={mistake} />}
      <DurationField
        key={kind === 'no-data' ? 'only' : 'also'}
        label={t(kind === 'no-data' ? 'No data for' : 'Or when no data arrives for')}
        hint={t(
          kind === 'no-data' ? 'At least a minute.' : 'At least a minute. Leave it empty if the sensor may be quiet.',
        )}
        required={kind === 'no-data'}
        value={built.inactivity}
        onValue={set('inactivity')}
      />
    </>
  );
}

type Setter = (name: Typed) => (text: string) => void;

/** The numbers and times of a kind, in two groups: when it fires, and when it ends. */
function Comparison({
  built,
  fields,
  kind,
  set,
}: BuilderProps & { kind: Exclude<Kind, 'no-data' | 'own'>; set: Setter }) {
  const labels = LABELS[kind];
  const number = (name: Typed, required: boolean, hint?: string) =>
    labels[name] && (
      <BoundField label={t(labels[name])} hint={hint} required={required} value={built[name]} onValue={set(name)} />
    );
  return (
    <>
      {!readsZone(kind) && <Variable value={built.variable} fields={fields} onValue={set('variable')} />}
      <div class="pair">
        {labels.zone && <ZoneField label={t(labels.zone)} value={built.zone} onValue={set('zone')} />}
        {number('bound', true)}
        {number('upper', true)}
        {labels.window && (
          <DurationField label={t(labels.window)} required value={built.window} onValue={set('window')} />
        )}
        <Hold built={built} set={set} />
      </div>
      <div class="pair">
        {number('end', built.upperEnd !== '', t('Empty: the same number.'))}
        {number('upperEnd', built.end !== '')}
        <KeepFiring built={built} set={set} />
      </div>
    </>
  );
}

/** A number, or a label that each sensor has in its place. The number stands in where the label is missing. */
function BoundField(props: Parameters<typeof NumberField>[0]) {
  const { label, value, onValue } = props;
  const own = readLabel(value);
  return (
    <div class="stack tight">
      {own ? <LabelFields {...props} {...own} /> : <NumberField {...props} />}
      <Check
        label={
          <span class="small">
            {t('a label of each sensor')}
            <span class="only-read">: {label}</span>
          </span>
        }
        checked={own !== undefined}
        onChecked={() => onValue(own ? own.missing : writeLabel({ name: '', missing: value }))}
      />
    </div>
  );
}

/** The field of the value that is compared; nothing if the value has no fields. */
function Variable({
  value,
  fields,
  onValue,
}: {
  value: string;
  fields: readonly string[];
  onValue: (variable: string) => void;
}) {
  const variables = [...new Set([value, ...fields.map(variableOf)])];
  if (variables.length === 1 && value === PLAIN) return null;
  const nameOf = (variable: string) => (variable === PLAIN ? t('the value itself') : variable.slice(PLAIN.length + 1));
  return (
    <Select
      label={t('Field of the value')}
      value={value}
      onValue={onValue}
      options={variables.map((variable) => [variable, nameOf(variable)] as const)}
    />
  );
}

function OwnExpression({ built, fields, mistake, set }: BuilderProps & { set: Setter }) {
  const isEnd = mistake?.field === 'resolve_expression';
  return (
    <>
      <Expression
        label={t('Expression')}
        placeholder="sensor_data_value > 30"
        value={built.expression}
        onValue={set('expression')}
        mistake={isEnd ? undefined : mistake}
        fields={fields}
      />
      <Hold built={built} set={set} />
      <Expression
        label={t('Ends when')}
        hint={t('Empty: as soon as the expression is false.')}
        placeholder="sensor_data_value < 28"
        value={built.resolveExpression}
        onValue={set('resolveExpression')}
        mistake={isEnd ? mistake : undefined}
      />
      <KeepFiring built={built} set={set} />
    </>
  );
}

function Hold({ built, set }: { built: Built; set: Setter }) {
  return (
    <DurationField
      label={t('For at least')}
      hint={t('Empty: fires at once.')}
      value={built.hold}
      onValue={set('hold')}
    />
  );
}

function KeepFiring({ built, set }: { built: Built; set: Setter }) {
  return (
    <DurationField
      label={t('Over for at least')}
      hint={t('Empty: ends at once.')}
      value={built.keepFiringFor}
      onValue={set('keepFiringFor')}
    />
  );
}
