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

/** The sensors that are in an environment, to take out and put in. */
export function SensorsInside({ id }: { id: string }) {
  const path = { id };
  const sensors = useResource(`sensors in ${id}`, () =>
    all(async (query) => {
      const { sensors: some } = await ask(api.get('/environments/{id}/sensors', { params: { path, query } }));
      return some.filter((one): one is Sensor => 'name' in one);
    }),
  );
  const takeOut = async (sensor_id: string) => {
    await ask(api.delete('/environments/{id}/sensors/{sensor_id}', { params: { path: { id, sensor_id } } }));
    sensors.reload();
  };
  const put = async (ids: readonly string[]) => {
    const body = { sensors: ids.map((one) => ({ id: one })) };
    await ask(api.post('/environments/{id}/sensors', { params: { path }, body }));
    sensors.reload();
  };
  return (
    <Loaded resource={sensors}>
      {(list) => (
        <div class="stack">
          {list.length === 0 && <p class="quiet">No sensors yet.</p>}
          <ul class="stack tight">
            {list.map((sensor) => (
              <Inside key={sensor.id} sensor={sensor} takeOut={() => takeOut(sensor.id)} />
            ))}
          </ul>
          <div>
            <DialogButton text="Put sensors in" title="Put sensors in">
              {(close) => (
                <Put except={list.map((one) => one.id)} onCancel={close} put={(ids) => put(ids).then(close)} />
              )}
            </DialogButton>
          </div>
        </div>
      )}
    </Loaded>
  );
}

function Inside({ sensor, takeOut }: { sensor: Sensor; takeOut: () => Promise<void> }) {
  return (
    <li class="line spread">
      <a class="strong" href={href(`/sensors/${sensor.id}`)}>
        {sensorName(sensor)}
      </a>
      <Action kind="quiet-button small-button" label={`Take out ${sensorName(sensor)}`} act={takeOut}>
        Take out
      </Action>
    </li>
  );
}

function Put({
  except,
  put,
  onCancel,
}: {
  except: readonly string[];
  put: (ids: readonly string[]) => Promise<void>;
  onCancel: () => void;
}) {
  const [ids, setIds] = useState<readonly string[]>([]);
  return (
    <Form label="Put in" submit={() => put(ids)} onCancel={onCancel}>
      <PickSensors label="Sensors" except={except} chosen={ids} onChosen={setIds} />
    </Form>
  );
}
