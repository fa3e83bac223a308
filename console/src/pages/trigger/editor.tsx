import { useEffect, useRef, useState } from 'preact/hooks';
import { useDraft } from '../../drafts';
import { go, usePlace } from '../../router';
import { DurationField } from '../../ui/duration-field';
import { Field, Form } from '../../ui/form';
import { PickSensors } from '../../ui/pick-sensors';
import { say } from '../../ui/toast';
import { Cycle } from './cycle';
import { Expression } from './expression';
import { useFields } from './fields';
import { type Connections, saveTrigger } from './load';
import { PickNotifications } from './pick-notifications';
import type { Mistake, Rule } from './rule';
import { type Suggestion, useSuggestion } from './suggestion';
import { TextOfNumbers } from './text-of-numbers';
import { Trial } from './trial';
import { TrialSensorChoice, useTrialSensor } from './trial-sensor';

interface Edited {
  rule: Rule;
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
  useStart(edited, id === undefined ? suggested?.suggestion : undefined);
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
        {trial.data && suggested?.isTextOfNumbers && <TextOfNumbers sensor={trial.data} onChanged={trial.reload} />}
        {trial.data && <Trial key={trial.data.id} sensor={trial.data} rule={edited.rule} onMistake={setMistake} />}
      </section>
    </div>
  );
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
  const [rule, setRule] = useDraft('rule', saved);
  const sensors = known.sensors.length > 0 || !asked ? known.sensors : [asked];
  const [connections, setConnections] = useDraft<Connections>('connections', { ...known, sensors });
  const save = async () => {
    const { id: savedId, warning } = await saveTrigger(id, rule, known, connections);
    say(`“${rule.name}” is saved${warning ? ', with a warning' : ' and active'}.`);
    onSaved();
    go(asked && !warning ? `/sensors/${asked}` : `/triggers/${savedId}`);
  };
  return { rule, setRule, connections, setConnections, save };
}

/** A new rule begins with a suggestion for the sensor, unless the user types first. */
function useStart({ rule, setRule }: Edited, suggestion: Suggestion | undefined): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (!suggestion || isDone.current) return;
    isDone.current = true;
    if (!rule.name && !rule.expression && !rule.inactivity) setRule({ ...rule, ...suggestion });
  }, [suggestion]);
}

function RuleForm({
  edited: { rule, setRule, connections, setConnections, save },
  label,
  mistake,
  fields,
}: {
  edited: Edited;
  label: string;
  mistake: Mistake | undefined;
  fields: readonly string[];
}) {
  const set = (field: keyof Rule) => (value: string) => setRule({ ...rule, [field]: value });
  return (
    <Form label={label} submit={save}>
      <Field label="Name" value={rule.name} onValue={set('name')} placeholder="Too warm" required maxLength={255} />
      <Expression value={rule.expression} onValue={set('expression')} mistake={mistake} fields={fields} />
      <DurationField
        label="Or when no data comes for"
        hint="At least a minute. Leave it empty if the sensor may be quiet."
        value={rule.inactivity}
        onValue={set('inactivity')}
      />
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
