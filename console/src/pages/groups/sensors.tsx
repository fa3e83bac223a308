import { useState } from 'preact/hooks';
import { all, api, ask } from '../../api';
import { sensorName } from '../../format';
import { href } from '../../router';
import { Action } from '../../ui/action';
import { DialogButton } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { PickSensors } from '../../ui/pick-sensors';
import { useResource } from '../../use-resource';
import type { Sensor } from '../sensors/load';

/** The sensors that members have shared into a group. */
export function GroupSensors({ groupId }: { groupId: string }) {
  const path = { group_id: groupId };
  const sensors = useResource(`group sensors ${groupId}`, () =>
    all(async (query) => {
      const { sensors: some } = await ask(api.get('/groups/{group_id}/sensors', { params: { path, query } }));
      return some.filter((one): one is Sensor => 'name' in one);
    }),
  );
  const remove = async (id: string) => {
    await ask(api.delete('/groups/{group_id}/sensors/{sensor_id}', { params: { path: { ...path, sensor_id: id } } }));
    sensors.reload();
  };
  const add = async (ids: readonly string[]) => {
    const body = { sensors: ids.map((id) => ({ id })) };
    await ask(api.post('/groups/{group_id}/sensors', { params: { path }, body }));
    sensors.reload();
  };
  return (
    <Loaded resource={sensors}>
      {(list) => (
        <div class="stack">
          {list.length === 0 && <p class="quiet">No sensors yet.</p>}
          <ul class="stack tight">
            {list.map((sensor) => (
              <SharedSensor key={sensor.id} sensor={sensor} remove={() => remove(sensor.id)} />
            ))}
          </ul>
          <div>
            <DialogButton text="Add sensors" title="Add your sensors">
              {(close) => (
                <Add except={list.map(({ id }) => id)} onCancel={close} add={(ids) => add(ids).then(close)} />
              )}
            </DialogButton>
          </div>
        </div>
      )}
    </Loaded>
  );
}

function SharedSensor({ sensor, remove }: { sensor: Sensor; remove: () => Promise<void> }) {
  return (
    <li class="line spread">
      <span>
        <a class="strong" href={href(`/sensors/${sensor.id}`)}>
          {sensorName(sensor)}
        </a>{' '}
        {sensor.owner && <span class="quiet">by {sensor.owner.username}</span>}
      </span>
      <Action kind="quiet-button small-button" label={`Remove ${sensorName(sensor)} from the group`} act={remove}>
        Remove
      </Action>
    </li>
  );
}

function Add({
  except,
  add,
  onCancel,
}: {
  except: readonly string[];
  add: (ids: readonly string[]) => Promise<void>;
  onCancel: () => void;
}) {
  const [ids, setIds] = useState<readonly string[]>([]);
  return (
    <Form label="Add" submit={() => add(ids)} onCancel={onCancel}>
      <PickSensors label="Your sensors" mine except={except} chosen={ids} onChosen={setIds} />
    </Form>
  );
}
