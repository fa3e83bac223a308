import { api, ask, type Records } from '../api';
import { sensorName } from '../format';
import { go, href } from '../router';
import { DangerButton } from '../ui/dialog';
import { Loaded, Page, Section } from '../ui/page';
import { useResource } from '../use-resource';
import type { Sensor } from './sensors/load';
import { kindOf, learns } from './services/kinds';
import { Methods } from './services/methods';
import { Teach } from './services/teach';

interface Found {
  sensor: Records['OwnedSensorView'];
  inputs: Sensor[];
}

/** A service: its inputs, its settings, and its learnt states. */
export function ServicePage({ id }: { id: string }) {
  const service = useResource(`service ${id}`, (signal) => load(id, signal));
  const { data } = service;
  const kind = data && kindOf(data.sensor.device_type);
  return (
    <Page
      title={data ? sensorName(data.sensor) : 'Service'}
      crumb={{ path: '/services', name: 'Services' }}
      lead={kind && `${kind.title}: ${kind.does}`}
      actions={data && <Buttons {...data} />}
    >
      <Loaded resource={service}>{(found) => <Parts {...found} />}</Loaded>
    </Page>
  );
}

async function load(id: string, signal: AbortSignal): Promise<Found> {
  const path = { id };
  const [{ sensor }, { sensors }] = await Promise.all([
    ask(api.get('/sensors/{id}', { params: { path }, signal })),
    ask(api.get('/sensors/{id}/sensors', { params: { path, query: { per_page: 1000 } }, signal })),
  ]);
  return { sensor, inputs: sensors.filter((one): one is Sensor => 'name' in one) };
}

function Buttons({ sensor, inputs }: Found) {
  const stop = async () => {
    for (const { id } of inputs) {
      const path = { id, service_id: sensor.id };
      await ask(api.delete('/sensors/{id}/services/{service_id}', { params: { path } }));
    }
    go('/services');
  };
  return (
    <>
      <a class="button" href={href(`/sensors/${sensor.id}`)}>
        Result
      </a>
      <DangerButton
        text="Stop"
        title={`Stop ${sensorName(sensor)}?`}
        consequence="Nothing feeds it any more, and what it has learnt is gone. Its data stays as a plain sensor."
        act={stop}
      />
    </>
  );
}

function Parts({ sensor, inputs }: Found) {
  const { id, device_type: kind } = sensor;
  return (
    <>
      <Section title="Fed by">
        {inputs.length === 0 ? (
          <p class="quiet">Nothing: the service has stopped, and its data stays.</p>
        ) : (
          <ul class="tags">
            {inputs.map((input) => (
              <li key={input.id} class="tag">
                <a href={href(`/sensors/${input.id}`)}>{sensorName(input)}</a>
              </li>
            ))}
          </ul>
        )}
      </Section>
      {inputs[0] && learns(kind) && (
        <Section title="Teach it">
          <Teach serviceId={id} inputs={inputs} />
        </Section>
      )}
      {inputs[0] && (
        <Section title="Settings">
          <Methods serviceId={id} inputs={inputs} kind={kind} />
        </Section>
      )}
    </>
  );
}
