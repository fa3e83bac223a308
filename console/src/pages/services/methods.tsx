import { useState } from 'preact/hooks';
import type { Records } from '../../api';
import { readFields } from '../../format';
import { many, type PlainText, t } from '../../language';
import { Action } from '../../ui/action';
import { Field, Form, Select } from '../../ui/form';
import { say } from '../../ui/toast';
import type { Sensor } from '../sensors/load';
import type { Called } from './use-methods';

type Method = Records['ServiceMethodView'];

interface MethodsProps extends Called {
  /** Calls a method that changes the service. */
  call: (method: string, parameters: string[]) => Promise<void>;
}

/** The settings of a service: each is the answer of one method, and set by another. */
export function Methods({ values, setters, call, inputs }: MethodsProps & { inputs: readonly Sensor[] }) {
  return (
    <div class="stack">
      {setters.map((setter) => (
        <Setter
          key={setter.name}
          setter={setter}
          value={values.get(setter.name.slice(3)) ?? ''}
          inputs={inputs}
          send={async (parameters) => {
            await call(setter.name, parameters);
            say(t('It applies from the next data point on.'));
          }}
        />
      ))}
    </div>
  );
}

/** The learned states, each with a button that forgets it, and what is still to be learned. */
export function Learned({ values, call }: MethodsProps) {
  const states = listOf(values.get('ClassLabels'));
  const { waiting, percent, error } = readFields(values.get('LearningProgress') ?? '') ?? {};
  return (
    <div class="stack tight">
      {states.length === 0 && <p class="quiet">{t('No state is learned yet.')}</p>}
      <ul class="stack tight">
        {states.map((state) => (
          <li key={state} class="line">
            <strong class="breakable">{state}</strong>
            <Action
              kind="small-button"
              label={t('Forget {name}', { name: state })}
              act={() => call('ForgetClassLabel', [state])}
            >
              {t('Forget')}
            </Action>
          </li>
        ))}
      </ul>
      {Number(waiting) > 0 && (
        <p role="status">
          {many(
            Number(waiting),
            '{n} range is being learned: {percent} %',
            '{n} ranges are being learned: {percent} %',
            {
              percent: Number(percent),
            },
          )}
        </p>
      )}
      {Number(values.get('Confidence')) > 0 && (
        <p class="small quiet">
          {t('Confidence')}: {values.get('Confidence')}
        </p>
      )}
      {error && <p class="message warn">{String(error)}</p>}
    </div>
  );
}

const FLAG = [
  ['0', t('off')],
  ['1', t('on')],
] as const;
const UNITS = [
  ['points', t('Data points')],
  ['seconds', t('Seconds')],
] as const;

interface SetterProps {
  setter: Method;
  value: string;
  inputs: readonly Sensor[];
  send: (parameters: string[]) => Promise<void>;
}

function Setter({ setter: { name, parameters }, value, inputs, send }: SetterProps) {
  const setting = name.slice(3);
  const isList = parameters.at(-1) === '...';
  const [texts, setTexts] = useState(() => initial(setting, isList, value));
  const [first = '', unit = ''] = texts;
  const set = (text: string) => setTexts([text, ...texts.slice(1)]);
  const shared = { label: t(NAMES[setting] ?? (setting as PlainText)), value: first, onValue: set };
  return (
    <Form label={t('Set')} kind="" submit={() => send(isList ? linesOf(first) : texts)}>
      {/^(Use|Manual)/.test(setting) ? (
        <Select {...shared} options={FLAG} />
      ) : (
        <Field
          {...shared}
          {...((isList || setting === 'Expression') && { rows: 3, isCode: true })}
          hint={isList ? t('One per line.') : parameters[0] === 'seconds' && t('Seconds')}
          required
        />
      )}
      {setting === 'Expression' && <Variables inputs={inputs} insert={(text) => set(`${first} ${text}`.trim())} />}
      {parameters.length > 1 && !isList && (
        <Select label={t('Unit')} value={unit} onValue={(chosen) => setTexts([first, chosen])} options={UNITS} />
      )}
    </Form>
  );
}

/** The names of the inputs in a formula, each inserted by a click. */
function Variables({ inputs, insert }: { inputs: readonly Sensor[]; insert: (name: string) => void }) {
  return (
    <div class="tags">
      {inputs
        .map(({ id, name }) => `_${id}_${name.replace(/\W/g, '_')}`)
        .map((name) => (
          <button key={name} type="button" class="tag breakable" onClick={() => insert(name)}>
            {name}
          </button>
        ))}
      <span class="hint">{t('The field of a JSON value follows after a dot.')}</span>
    </div>
  );
}

/** What the fields hold at first. */
function initial(setting: string, isList: boolean, value: string): string[] {
  if (isList) return [listOf(value).join('\n')];
  if (/^(Use|Manual)/.test(setting)) return [value === 'true' ? '1' : '0'];
  const list = listOf(value);
  return list.length > 0 ? list : [value];
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** A list in JSON; empty if it is none. */
function listOf(json = ''): string[] {
  return json.startsWith('[') ? (JSON.parse(json) as unknown[]).map(String) : [];
}

/** Settings in words. */
const NAMES: Readonly<Record<string, PlainText>> = {
  Expression: 'Formula',
  Field: 'Field',
  Filter: 'Filter',
  ManualInputMode: 'Manual input',
  SilentAfter: 'No data for',
  Trigger: 'Trigger',
  UseDataTimestamp: 'Dates from the data',
  Window: 'Window',
};
