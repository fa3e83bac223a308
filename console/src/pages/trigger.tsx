import { useState } from 'preact/hooks';
import { api, ask, sentence } from '../api';
import { go, usePlace } from '../router';
import { DangerButton } from '../ui/dialog';
import { Field, Form } from '../ui/form';
import { Loaded, Page } from '../ui/page';
import { PickSensors } from '../ui/pick-sensors';
import { say } from '../ui/toast';
import { useResource } from '../use-resource';
import { Cycle } from './trigger/cycle';
import { Expression } from './trigger/expression';
import { useFields } from './trigger/fields';
import { type Connections, loadTrigger, NOTHING, saveTrigger } from './trigger/load';
import { PickNotifications } from './trigger/pick-notifications';
import { type Mistake, NO_RULE, type Rule } from './trigger/rule';
import { Trial } from './trigger/trial';
import { TrialSensorChoice, useTrialSensor } from './trigger/trial-sensor';

/** The editor of a trigger; `new` for one that is not saved yet. */
export function TriggerPage({ id }: { id: string }) {
  const isNew = id === 'new';
  const trigger = useResource(`trigger ${id}`, async (signal) =>
    isNew ? { rule: NO_RULE, connections: NOTHING } : loadTrigger(id, signal),
  );
  const remove = async () => {
    await ask(api.delete('/triggers/{id}', { params: { path: { id } } }));
    go('/triggers');
  };
  return (
    <Page
      title={isNew ? 'New trigger' : (trigger.data?.rule.name ?? 'Trigger')}
      crumb={{ path: '/triggers', name: 'Triggers' }}
      actions={
        !isNew &&
        trigger.data && (
          <DangerButton
            text="Delete"
            title={`Delete ${trigger.data.rule.name}?`}
            consequence="It stops watching all its sensors at once, and its history goes with it."
            act={remove}
          />
        )
      }
    >
      <Loaded resource={trigger}>{(found) => <Editor key={id} id={isNew ? undefined : id} {...found} />}</Loaded>
    </Page>
  );
}

function Editor({
  id,
  rule: saved,
  connections: known,
}: {
  id: string | undefined;
  rule: Rule;
  connections: Connections;
}) {
  const { query } = usePlace();
  const asked = query.get('sensor') ?? undefined;
  const [rule, setRule] = useState(saved);
  const [sensors, setSensors] = useState<readonly string[]>(
    known.sensors.length > 0 ? known.sensors : asked ? [asked] : [],
  );
  const [notifications, setNotifications] = useState<readonly string[]>(known.notifications);
  const [mistake, setMistake] = useState<Mistake>();
  const [trialId, setTrialId] = useState(asked ?? known.sensors[0]);
  const trial = useTrialSensor(trialId ?? sensors[0]);
  const fields = useFields(trial.data?.id);
  const set = (field: keyof Rule) => (value: string) => setRule({ ...rule, [field]: value });
  const save = async () => {
    const saved = await saveTrigger(id, rule, known, { sensors, notifications });
    say(saved.warning ? sentence(saved.warning) : `“${rule.name}” is saved and watches.`);
    go(asked ? `/sensors/${asked}` : `/triggers/${saved.id}`);
  };
  return (
    <div class="columns editor">
      <Form label={id ? 'Save' : 'Create the trigger'} submit={save}>
        <Field label="Name" value={rule.name} onValue={set('name')} placeholder="Too warm" required maxLength={255} />
        <Expression value={rule.expression} onValue={set('expression')} mistake={mistake} fields={fields} />
        <Field
          label="Or when no data comes for"
          hint="Minutes, at least 1. Leave it empty if the sensor may be quiet."
          value={rule.inactivity}
          onValue={set('inactivity')}
        />
        <Cycle rule={rule} onRule={setRule} />
        <PickSensors label="Watches" mine chosen={sensors} onChosen={setSensors} />
        <PickNotifications chosen={notifications} onChosen={setNotifications} />
      </Form>
      <section class="stack" aria-labelledby="trial">
        <div class="section-head">
          <h2 id="trial">When it would have fired</h2>
          <TrialSensorChoice value={trialId ?? sensors[0]} onValue={setTrialId} />
        </div>
        {!trial.data && !trial.loading && (
          <p class="quiet">Choose a sensor with data, and the chart shows when this rule would have fired.</p>
        )}
        {trial.data && <Trial key={trial.data.id} sensor={trial.data} rule={rule} onMistake={setMistake} />}
      </section>
    </div>
  );
}
