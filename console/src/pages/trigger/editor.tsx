import { useEffect, useRef, useState } from 'preact/hooks';
import type { Bound } from '../../chart/bound-lines';
import { useDraft } from '../../drafts';
import { t } from '../../language';
import { go, usePlace } from '../../router';
import { Field, Form } from '../../ui/form';
import { Folded } from '../../ui/page';
import { PickSensors } from '../../ui/pick-sensors';
import { say } from '../../ui/toast';
import { ZoneField } from '../../ui/zone-field';
import { EarlierVersions } from '../forms';
import { type Asked, askedBy } from './asked';
import { type Built, boundsOf, PLAIN, read, write } from './built-rule';
import { Cycle } from './cycle';
import { useFields } from './fields';
import { FollowFields } from './follow-fields';
import { KeepAlerts } from './keep-alerts';
import { LiveState } from './live-state';
import { type Connections, editedConnections, type Loaded } from './load';
import { ReportsTo } from './reports-to';
import { type Mistake, type Rule, readsClock, ruleOf } from './rule';
import { lineLabelOf, RuleBuilder } from './rule-builder';
import { saveTrigger } from './save';
import { nameFor, type Suggestion, useSuggestion } from './suggestion';
import { TextOfNumbers } from './text-of-numbers';
import { Trial } from './trial';
import { TrialOfAll } from './trial-of-all';
import { TrialSensorChoice, useTrialSensor } from './trial-sensor';

interface Edited {
  /** With the condition that the builder writes. */
  rule: Rule;
  built: Built;
  setBuilt(built: Built): void;
  setRule(rule: Rule): void;
  connections: Connections;
  setConnections(connections: Connections): void;
  /** The sensors by hand and of the stored selector. */
  sensors: readonly string[];
  /** True if an edit keeps open alerts. */
  keep: boolean;
  setKeep(keep: boolean): void;
  /** Edits the rule of a trigger. */
  show(trigger: Parameters<typeof ruleOf>[0]): void;
  save(): Promise<void>;
}

/** The form of a trigger next to the chart with its backtest; without an id it is a new trigger. */
export function Editor({ id, stored, onSaved }: { id: string | undefined; stored: Loaded; onSaved: () => void }) {
  const asked = askedBy(usePlace().query);
  const edited = useEdited({ id, stored, asked, onSaved });
  const [mistake, setMistake] = useState<Mistake>();
  const known = sensorsOf(stored);
  const [trialId, setTrialId] = useState(asked.tried ?? known[0]);
  const tried = trialId ?? edited.sensors[0];
  const trial = useTrialSensor(tried);
  const suggested = useSuggestion(trial.data);
  useStart(edited, id === undefined ? suggested?.suggestion : undefined, asked.name ?? trial.data?.name ?? '');
  const fields = useFields(trial.data?.id);
  return (
    <>
      <div class="columns editor">
        <RuleForm id={id} stored={stored} edited={edited} mistake={mistake} fields={fields} />
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
              bounds={drawnBounds(edited)}
              onMistake={setMistake}
            />
          )}
          <TrialOfAll rule={edited.rule} sensors={edited.connections.sensors} />
        </section>
      </div>
      {id && (
        <Folded title={t('Earlier versions')}>
          {() => <EarlierVersions id={id} version={stored.version} open={stored.open} onRestored={edited.show} />}
        </Folded>
      )}
    </>
  );
}

/** The sensors of the stored trigger. */
function sensorsOf({ connections, selected }: Loaded): readonly string[] {
  return [...connections.sensors, ...selected];
}

/** The numbers of the rule that are drawn on the chart; dragging one changes its field. */
function drawnBounds({ built, setBuilt }: Edited): Bound[] {
  return boundsOf(built)
    .filter((name) => built[name] !== '')
    .map((name) => ({
      label: lineLabelOf(built.kind, name),
      value: Number(built[name]),
      isEnd: name === 'end' || name === 'upperEnd',
      field: built.variable.slice(PLAIN.length + 1),
      onValue: (value) => setBuilt({ ...built, [name]: String(value) }),
    }));
}

interface Start {
  id: string | undefined;
  stored: Loaded;
  asked: Asked;
  onSaved: () => void;
}

function useEdited({ id, stored, asked, onSaved }: Start): Edited {
  const [others, setRule] = useDraft('rule', () =>
    asked.follows ? { ...stored.rule, follows: asked.follows } : stored.rule,
  );
  const [built, setBuilt] = useDraft('built', () => read(stored.rule));
  const rule = { ...others, ...write(built) };
  const [connections, setConnections] = useDraft<Connections>('connections', () => begun(stored, asked));
  const sensors = [...new Set([...connections.sensors, ...stored.selected])];
  const [keep, setKeep] = useState(true);
  const show: Edited['show'] = (trigger) => {
    const shown = ruleOf(trigger);
    setRule(shown);
    setBuilt(read(shown));
    onSaved();
  };
  const save = async () => {
    const { id: savedId, warning, alerts } = await saveTrigger(id, stored, rule, connections, keep);
    const saved = warning ? '“{name}” is saved, with a warning.' : '“{name}” is saved and active.';
    say(`${t(saved, { name: rule.name })} ${alerts}`);
    setKeep(true);
    onSaved();
    go(asked.page && !warning ? `/sensors/${asked.page}` : `/triggers/${savedId}`);
  };
  return { rule, setRule, built, setBuilt, connections, setConnections, sensors, keep, setKeep, show, save };
}

/** The initial connections. A trigger without sensors starts with the sensors that the address names. */
function begun(stored: Loaded, { sensors }: Asked): Connections {
  const connections = editedConnections(stored);
  return connections.sensors.length > 0 ? connections : { ...connections, sensors };
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
}: {
  id: string | undefined;
  stored: Loaded;
  edited: Edited;
  mistake: Mistake | undefined;
  fields: readonly string[];
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
      <ReportsTo
        steps={connections.steps.filter(({ sensor }) => sensor === undefined || sensors.includes(sensor))}
        onSteps={(steps) => setConnections({ ...connections, steps })}
        stored={{ steps: stored.connections.steps, sensors: sensorsOf(stored) }}
        sensors={sensors}
      />
    </>
  );
}
