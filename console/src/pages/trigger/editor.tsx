import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../language';
import { formatNumber } from '../../quantity';
import { usePlace } from '../../router';
import { Field, Form } from '../../ui/form';
import { Folded } from '../../ui/page';
import { PickSensors } from '../../ui/pick-sensors';
import { ZoneField } from '../../ui/zone-field';
import type { Change } from '../changes/effect';
import { DependsOn, EarlierVersions, ShownTo, TrialOfAll } from '../forms';
import { askedBy } from './asked';
import { type BoundName, type Built, linesOf, readLabel } from './built-rule';
import { Cycle } from './cycle';
import { useFields } from './fields';
import { FollowFields } from './follow-fields';
import { KeepAlerts } from './keep-alerts';
import { LiveState } from './live-state';
import type { Loaded } from './load';
import { ReportsTo } from './reports-to';
import { bodyOf, decidingOf, type Mistake, type Rule, readsClock, ruleOf } from './rule';
import { lineLabelOf, RuleBuilder } from './rule-builder';
import { nameFor, type Suggestion, useSuggestion } from './suggestion';
import { TextOfNumbers } from './text-of-numbers';
import { Trial, type TrialSensor } from './trial';
import { TrialSensorChoice, useTrialSensor } from './trial-sensor';
import { type Edited, sensorsOf, useEdited } from './use-edited';

/** The form of a trigger next to the chart with its backtest; without an id it is a new trigger. */
export function Editor({ id, stored, onSaved }: { id: string | undefined; stored: Loaded; onSaved: () => void }) {
  const asked = askedBy(usePlace().query);
  const edited = useEdited({ id, stored, asked, onSaved });
  const [mistake, setMistake] = useState<Mistake>();
  const [effect, setEffect] = useState('');
  const known = sensorsOf(stored);
  const [trialId, setTrialId] = useState(asked.tried ?? known[0]);
  const tried = trialId ?? edited.sensors[0];
  const trial = useTrialSensor(tried);
  const suggested = useSuggestion(trial.data);
  useStart(edited, id === undefined ? suggested?.suggestion : undefined, asked.name ?? trial.data?.name ?? '');
  const fields = useFields(trial.data?.id);
  const { Card, shadow } = stored.shadow ?? {};
  const showTrigger = (trigger: Parameters<typeof ruleOf>[0]) => edited.show(ruleOf(trigger));
  const change = id && isChanged(edited.rule, stored.rule) ? changeOf(id, stored, edited, setEffect) : undefined;
  return (
    <>
      {id && Card && shadow && (
        <Card {...{ id, shadow }} rule={stored.rule} onSwitched={showTrigger} onUse={edited.edit} onEnded={onSaved} />
      )}
      <div class="columns editor">
        <RuleForm {...{ id, stored, edited, mistake, fields, effect }} />
        <section class="stack" aria-labelledby="trial">
          <div class="section-head">
            <h2 id="trial">{t('When it would have fired')}</h2>
            <TrialSensorChoice value={tried} onValue={setTrialId} />
          </div>
          {!trial.data && !trial.loading && (
            <p class="quiet">{t('Choose a sensor with data to see when this rule would have fired.')}</p>
          )}
          {id && tried && known.includes(tried) && <LiveState trigger={id} sensor={tried} />}
          {trial.data && suggested?.isTextOfNumbers && <TextOfNumbers sensor={trial.data} onChanged={trial.reload} />}
          {trial.data && (
            <Trial
              key={trial.data.id}
              sensor={trial.data}
              rule={edited.rule}
              steps={edited.connections.steps}
              {...drawnBounds(edited, trial.data)}
              change={change}
              onMistake={setMistake}
            />
          )}
          {!change && (edited.connections.sensors.length > 1 || edited.rule.follows.kind !== 'none') && (
            <TrialOfAll rule={edited.rule} sensors={edited.connections.sensors} />
          )}
        </section>
      </div>
      {id && (
        <Folded title={t('Earlier versions')}>
          {() => <EarlierVersions id={id} version={stored.version} open={stored.open} onRestored={showTrigger} />}
        </Folded>
      )}
    </>
  );
}

/** True if the rule decides in another way, and can be tried. */
function isChanged(rule: Rule, saved: Rule): boolean {
  return bodyOf(rule) !== undefined && JSON.stringify(decidingOf(rule)) !== JSON.stringify(decidingOf(saved));
}

function changeOf(id: string, stored: Loaded, { sensors, show }: Edited, onText: Change['onText']): Change {
  const hasShadow = stored.shadow?.shadow.ended === null;
  return { id, saved: stored.rule, sensors, hasShadow, onShadow: () => show(stored.rule), onText };
}

/** The numbers of the rule as lines on the chart: one that is dragged changes its field, the line of a label stays. */
function drawnBounds({ built, setBuilt }: Edited, { id, labels }: TrialSensor) {
  const drawn = linesOf(built, labels).map((line) => ({ ...line, label: lineLabelOf(built.kind, line.name) }));
  const isNumber = ({ name }: { name: BoundName }) => !readLabel(built[name]);
  return {
    bounds: drawn.filter(isNumber).map(({ name, ...line }) => ({
      ...line,
      onValue: (value: number) => setBuilt({ ...built, [name]: String(value) }),
    })),
    thresholds: drawn
      .filter((line) => !isNumber(line))
      .map((line) => ({ ...line, sensorId: id, label: `${line.label} ${formatNumber(line.value)}` })),
  };
}

/**
 * A new rule begins with a suggestion for the sensor, unless the user types first. Its name follows the rule until the
 * user changes the name.
 */
function useStart(edited: Edited, suggestion: Suggestion | undefined, sensor: string): void {
  const { rule, setRule, built, setBuilt } = edited;
  const isDone = useRef(false);
  const given = useRef<{ sensor: string; name: string } | undefined>(undefined);
  const rename = (watched: string, next: Built) => {
    const name = nameFor(watched, next);
    given.current = { sensor: watched, name };
    setRule({ ...rule, name });
  };
  useEffect(() => {
    if (!suggestion || isDone.current) return;
    isDone.current = true;
    if (rule.name || rule.expression || rule.inactivity || built.kind !== 'above') return;
    const started = { ...built, ...suggestion };
    setBuilt(started);
    rename(sensor, started);
  }, [suggestion]);
  useEffect(() => {
    if (given.current && given.current.name === rule.name) rename(given.current.sensor, built);
  }, [built]);
}

function RuleForm({
  id,
  stored,
  edited: { rule, setRule, built, setBuilt, save, ...edited },
  mistake,
  fields,
  effect,
}: {
  id: string | undefined;
  stored: Loaded;
  edited: Edited;
  mistake: Mistake | undefined;
  fields: readonly string[];
  /** The effect of the change in words. */
  effect: string;
}) {
  return (
    <Form label={t(id ? 'Save' : 'Create the trigger')} submit={save}>
      <Field
        label={t('Name')}
        value={rule.name}
        onValue={(name) => setRule({ ...rule, name })}
        placeholder={t('Too warm')}
        required
        maxLength={255}
      />
      <RuleBuilder built={built} onBuilt={setBuilt} mistake={mistake} fields={fields} />
      {readsClock(rule) && (
        <ZoneField
          label={t('Time zone')}
          hint={t('For the time functions in the expression.')}
          value={rule.timezone}
          onValue={(timezone) => setRule({ ...rule, timezone })}
        />
      )}
      <Cycle rule={rule} onRule={setRule} />
      <ConnectionFields id={id} stored={stored} edited={{ rule, setRule, ...edited }} />
      <KeepAlerts open={stored.open} keep={edited.keep} onKeep={edited.setKeep} />
      {effect && (
        <p class="small">
          <a href="#effect">{t('Effect on the last 30 days')}</a>: {effect}
        </p>
      )}
    </Form>
  );
}

/** The sensors of the trigger, and its notifications. */
function ConnectionFields({
  id,
  stored,
  edited: { rule, setRule, connections, setConnections, sensors },
}: {
  id: string | undefined;
  stored: Loaded;
  edited: Pick<Edited, 'rule' | 'setRule' | 'connections' | 'setConnections' | 'sensors'>;
}) {
  return (
    <>
      <PickSensors
        label={t('Watches')}
        mine
        chosen={connections.sensors}
        onChosen={(chosen) => setConnections({ ...connections, sensors: chosen })}
      />
      <FollowFields
        follows={rule.follows}
        onFollows={(follows) => setRule({ ...rule, follows })}
        stored={stored.rule.follows.kind === 'none' ? undefined : id}
      />
      <ShownTo value={rule.group} onValue={(group) => setRule({ ...rule, group })} />
      <DependsOn id={id} value={rule.dependsOn} onValue={(dependsOn) => setRule({ ...rule, dependsOn })} />
      <ReportsTo
        steps={connections.steps.filter(({ sensor }) => sensor === undefined || sensors.includes(sensor))}
        onSteps={(steps) => setConnections({ ...connections, steps })}
        stored={{ steps: stored.connections.steps, sensors: sensorsOf(stored) }}
        sensors={sensors}
      />
    </>
  );
}
