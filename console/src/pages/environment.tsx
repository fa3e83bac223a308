import { useMemo, useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../api';
import { sensorName } from '../format';
import { go, href } from '../router';
import { Action } from '../ui/action';
import { DangerButton, DialogButton } from '../ui/dialog';
import { Field, Form } from '../ui/form';
import { Loaded, Page, Section } from '../ui/page';
import { PickSensors } from '../ui/pick-sensors';
import { useResource } from '../use-resource';
import { areaText } from './environments';
import { type Corner, planeAround, readOutline, writeOutline } from './environments/geometry';
import { PlaneEditor } from './environments/plane';
import type { Sensor } from './sensors/load';

type Environment = Records['EnvironmentView'];

/** A place: its outline to draw, and the sensors in it. */
export function EnvironmentPage({ id }: { id: string }) {
  const environment = useResource(`environment ${id}`, async (signal) => {
    return (await ask(api.get('/environments/{id}', { params: { path: { id } }, signal }))).environment;
  });
  return (
    <Page
      title={environment.data?.name ?? 'Environment'}
      crumb={{ path: '/environments', name: 'Environments' }}
      lead={environment.data && areaText(environment.data.gps_outline)}
      actions={
        environment.data && (
          <DangerButton
            text="Delete"
            title={`Delete ${environment.data.name}?`}
            consequence="The sensors in it stay."
            act={async () => {
              await ask(api.delete('/environments/{id}', { params: { path: { id } } }));
              go('/environments');
            }}
          />
        )
      }
    >
      <Loaded resource={environment}>
        {(found) => (
          <div class="columns">
            <Outline environment={found} onSaved={environment.reload} />
            <Section title="Sensors in it">
              <Sensors id={id} />
            </Section>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const GREENWICH = { latitude: 51.4779, longitude: 0 };

function Outline({ environment, onSaved }: { environment: Environment; onSaved: () => void }) {
  const [corners, setCorners] = useState<Corner[]>(() => readOutline(environment.gps_outline));
  const [name, setName] = useState(environment.name);
  const [floors, setFloors] = useState(environment.floors === null ? '' : String(environment.floors));
  const [position, setPosition] = useState(environment.position);
  const [zoom, setZoom] = useState(1);
  const centre = useMemo(() => readOutline(position)[0], [position]);
  // The plane stays where it is while corners are moved; a new position or zoom draws another one.
  const plane = useMemo(() => {
    const around = planeAround(readOutline(environment.gps_outline), centre ?? GREENWICH);
    return { ...around, reach: around.reach * zoom };
  }, [environment.gps_outline, centre, zoom]);
  const submit = async () => {
    if (corners.length > 0 && corners.length < 3) throw new Error('An outline has at least three corners.');
    const fields = {
      name,
      ...(floors && { floors: Number(floors) }),
      ...(position && { position }),
      ...(corners.length > 0 && { gps_outline: writeOutline(corners) }),
    };
    await ask(
      api.put('/environments/{id}', { params: { path: { id: environment.id } }, body: { environment: fields } }),
    );
    onSaved();
  };
  return (
    <Form label="Save" submit={submit}>
      <Field label="Name" value={name} onValue={setName} required />
      <Field label="Floors" type="number" min={0} value={floors} onValue={setFloors} />
      <Field
        label="Position"
        hint="Latitude and longitude of its middle, 52.3702 4.8952 for instance."
        value={position}
        onValue={setPosition}
      />
      <div class="field">
        <span class="label">Outline</span>
        <PlaneEditor corners={corners} plane={plane} onCorners={setCorners} />
        <span class="hint">
          Click to add a corner; drag corners, or move them with the arrow keys. {areaText(writeOutline(corners))}.
        </span>
        <div class="actions">
          <button
            type="button"
            class="button small-button"
            onClick={() => setCorners([...corners, { ...plane.centre, rest: '' }])}
          >
            Add a corner
          </button>
          <button type="button" class="button small-button" onClick={() => setZoom(zoom * 2)}>
            Zoom out
          </button>
          <button type="button" class="button small-button" onClick={() => setZoom(zoom / 2)}>
            Zoom in
          </button>
          <button type="button" class="button small-button" onClick={() => setCorners([])}>
            Clear
          </button>
        </div>
      </div>
    </Form>
  );
}

function Sensors({ id }: { id: string }) {
  const path = { id };
  const sensors = useResource(`sensors in ${id}`, () =>
    all(async (query) => {
      const { sensors: some } = await ask(api.get('/environments/{id}/sensors', { params: { path, query } }));
      return some.filter((one): one is Sensor => 'name' in one);
    }),
  );
  return (
    <Loaded resource={sensors}>
      {(list) => (
        <div class="stack">
          {list.length === 0 && <p class="quiet">No sensors yet.</p>}
          <ul class="stack tight">
            {list.map((sensor) => (
              <li key={sensor.id} class="line spread">
                <a class="strong" href={href(`/sensors/${sensor.id}`)}>
                  {sensorName(sensor)}
                </a>
                <Action
                  kind="quiet-button small-button"
                  label={`Take out ${sensorName(sensor)}`}
                  act={async () => {
                    const one = { ...path, sensor_id: sensor.id };
                    await ask(api.delete('/environments/{id}/sensors/{sensor_id}', { params: { path: one } }));
                    sensors.reload();
                  }}
                >
                  Take out
                </Action>
              </li>
            ))}
          </ul>
          <div>
            <DialogButton text="Put sensors in" title="Put sensors in">
              {(close) => (
                <Put
                  except={list.map((one) => one.id)}
                  onCancel={close}
                  put={async (ids) => {
                    const body = { sensors: ids.map((one) => ({ id: one })) };
                    await ask(api.post('/environments/{id}/sensors', { params: { path }, body }));
                    close();
                    sensors.reload();
                  }}
                />
              )}
            </DialogButton>
          </div>
        </div>
      )}
    </Loaded>
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
