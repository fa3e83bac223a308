import { api, ask } from '../api';
import { sensorName } from '../format';
import { go, href } from '../router';
import { DangerButton } from '../ui/dialog';
import { Loaded, Page, Section } from '../ui/page';
import { useResource } from '../use-resource';
import type { Sensor } from './sensors/load';
import { kindOf, learns } from './services/kinds';
import { Methods } from './services/methods';
import { Teach } from './services/teach';

/** A service: what feeds it, how it is set, and what it has learnt. */
export function ServicePage({ id }: { id: string }) {
  const service = useResource(`service ${id}`, async (signal) => {
    const path = { id };
    const [{ sensor }, { sensors }] = await Promise.all([
      ask(api.get('/sensors/{id}', { params: { path }, signal })),
      ask(api.get('/sensors/{id}/sensors', { params: { path, query: { per_page: 1000 } }, signal })),
    ]);
    return { sensor, inputs: sensors.filter((one): one is Sensor => 'name' in one) };
  });
  const { data } = service;
  const disconnect = async (sensor: string) => {
    await ask(api.delete('/sensors/{id}/services/{service_id}', { params: { path: { id: sensor, service_id: id } } }));
  };
  return (
    <Page
      title={data ? sensorName(data.sensor) : 'Service'}
      crumb={{ path: '/services', name: 'Services' }}
      lead={data && `${kindOf(data.sensor.device_type).title}: ${kindOf(data.sensor.device_type).does}`}
      actions={
        data && (
          <>
            <a class="button" href={href(`/sensors/${id}`)}>
              Result
            </a>
            <DangerButton
              text="Stop"
              title={`Stop ${sensorName(data.sensor)}?`}
              consequence="Nothing feeds it any more, and what it has learnt is gone. Its data stays as a plain sensor."
              act={async () => {
                for (const input of data.inputs) await disconnect(input.id);
                go('/services');
              }}
            />
          </>
        )
      }
    >
      <Loaded resource={service}>
        {({ sensor, inputs }) => (
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
            {inputs[0] && learns(sensor.device_type) && (
              <Section title="Teach it">
                <Teach serviceId={id} inputs={inputs} />
              </Section>
            )}
            {inputs[0] && (
              <Section title="Settings">
                <Methods serviceId={id} inputs={inputs} kind={sensor.device_type} />
              </Section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
