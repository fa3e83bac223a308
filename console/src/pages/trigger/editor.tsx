import { useEffect, useRef, useState } from 'preact/hooks';
import type { Bound } from '../../chart/bound-lines';
import { useDraft } from '../../drafts';
import { go, usePlace } from '../../router';
import { Field, Form } from '../../ui/form';
import { PickSensors } from '../../ui/pick-sensors';
import { say } from '../../ui/toast';
import { ZoneField } from '../../ui/zone-field';
import { type Built, boundsOf, read, write } from './built-rule';
import { Cycle } from './cycle';
import { useFields } from './fields';
import { LiveState } from './live-state';
import { type Connections, saveTrigger } from './load';
import { PickNotifications } from './pick-notifications';
import { type Mistake, type Rule, readsClock } from './rule';
import { labelOf, RuleBuilder } from './rule-builder';
import { nameFor, type Suggestion, useSuggestion } from './suggestion';
import { TextOfNumbers } from './text-of-numbers';
import { Trial } from './trial';
import { TrialSensorChoice, useTrialSensor } from './trial-sensor';

interface Edited {
  /** With the condition that the builder writes. */
  rule: Rule;
  built: Built;
  setBuilt(built: Built): void;
  setRule(rule: Rule): void;
  connections: Connections;
  setConnections(connections: Connections): void;
  save(): Promise<void>;
}

/** The form of a trigger next to the chart with its backtest; without an id it is a new trigger. */
export function Editor({
  id,
  rule: saved,
  connections: known,
  onSaved,
}: {
  id: string | undefined;
  rule: Rule;
  connections: Connections;
  onSaved: () => void;
}) {
  const asked = usePlace().query.get('sensor') ?? undefined;
  const edited = useEdited({ id, saved, known, asked, onSaved });
  const [mistake, setMistake] = useState<Mistake>();
  const [trialId, setTrialId] = useState(asked ?? known.sensors[0]);
  const tried = trialId ?? edited.connections.sensors[0];
  const trial = useTrialSensor(tried);
  const suggested = useSuggestion(trial.data);
  useStart(edited, id === undefined ? suggested?.suggestion : undefined, trial.data?.name ?? '');
  const fields = useFields(trial.data?.id);
  return (
    <div class="columns editor">
      <RuleForm edited={edited} label={id ? 'Save' : 'Create the trigger'} mistake={mistake} fields={fields} />
      <section class="stack" aria-labelledby="trial">
        <div class="section-head">
          <h2 id="trial">When it would have fired</h2>
          <TrialSensorChoice value={tried} onValue={setTrialId} />
        </div>
        {!trial.data && !trial.loading && (
          <p class="quiet">Choose a sensor with data, and the chart shows when this rule would have fired.</p>
        )}
        {id && tried && known.sensors.includes(tried) && <LiveState trigger={id} sensor={tried} />}
        {trial.data && suggested?.isTextOfNumbers && <TextOfNumbers sensor={trial.data} onChanged={trial.reload} />}
        {trial.data && (
          <Trial
            key={trial.data.id}
            sensor={trial.data}
            rule={edited.rule}
            bounds={drawnBounds(edited)}
            onMistake={setMistake}
          />
        )}
      </section>
    </div>
  );
}

/** The numbers of the rule that are drawn on the chart; dragging one changes its field. */
function drawnBounds({ built, setBuilt }: Edited): Bound[] {
  return boundsOf(built)
    .filter((name) => built[name] !== '')
    .map((name) => ({
      label: labelOf(built.kind, name),
      value: Number(built[name]),
      onValue: (value) => setBuilt({ ...built, [name]: String(value) }),
    }));
}

interface Start {
  id: string | undefined;
  saved: Rule;
  known: Connections;
  /** The sensor from whose page the editor was opened. */
  asked: string | undefined;
  onSaved: () => void;
}

function useEdited({ id, saved, known, asked, onSaved }: Start): Edited {
  const [others, setRule] = useDraft('rule', saved);
  const [built, setBuilt] = useDraft('built', () => read(saved));
  const rule = { ...others, ...write(built) };
  const sensors = known.sensors.length > 0 || !asked ? known.sensors : [asked];
  const [connections, setConnections] = useDraft<Connections>('connections', { ...known, sensors });
  const save = async () => {
    const { id: savedId, warning } = await saveTrigger(id, rule, known, connections);
    say(`“${rule.name}” is saved${warning ? ', with a warning' : ' and active'}.`);
    onSaved();
    go(asked && !warning ? `/sensors/${asked}` : `/triggers/${savedId}`);
  };
  return { rule, setRule, built, setBuilt, connections, setConnections, save };
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
  edited: { rule, setRule, built, setBuilt, connections, setConnections, save },
  label,
  mistake,
  fields,
}: {
  edited: Edited;
  label: string;
  mistake: Mistake | undefined;
  fields: readonly string[];
}) {
  return (
    <Form label={label} submit={save}>
      <Field
        label="Name"
        value={rule.name}
        onValue={(name) => setRule({ ...rule, name })}
        placeholder="Too warm"
        required
        maxLength={255}
      />
      <RuleBuilder built={built} onBuilt={setBuilt} mistake={mistake} fields={fields} />
      {readsClock(rule) && (
        <ZoneField
          label="Time zone"
          hint="For the functions of time in the expression."
          value={rule.timezone}
          onValue={(timezone) => setRule({ ...rule, timezone })}
        />
      )}
      <Cycle rule={rule} onRule={setRule} />
      <PickSensors
        label="Watches"
        mine
        chosen={connections.sensors}
        onChosen={(sensors) => setConnections({ ...connections, sensors })}
      />
      <PickNotifications
        chosen={connections.notifications}
        onChosen={(notifications) => setConnections({ ...connections, notifications })}
      />
    </Form>
  );
}
