import { api, ask, type Records } from '../api';
import { sensorName } from '../format';
import { t } from '../language';
import { go, href } from '../router';
import { DangerButton } from '../ui/dialog';
import { Loaded, Page, Section } from '../ui/page';
import { useResource } from '../use-resource';
import type { Sensor } from './sensors/load';
import { KINDS, learns } from './services/kinds';
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
  const kind = data && KINDS[data.sensor.device_type];
  return (
    <Page
      title={data ? sensorName(data.sensor) : t('Service')}
      crumb={{ path: '/services', name: t('Services') }}
      lead={kind && `${t(kind.title)}: ${t(kind.does)}`}
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
        {t('Result')}
      </a>
      <DangerButton
        text={t('Stop')}
        title={t('Stop {name}?', { name: sensorName(sensor) })}
        consequence={t(
          'Sensors no longer feed it, and what it has learned is lost. Its data stays as an ordinary sensor.',
        )}
        act={stop}
      />
    </>
  );
}

function Parts({ sensor, inputs }: Found) {
  const { id, device_type: kind } = sensor;
  return (
    <>
      <Section title={t('Fed by')}>
        {inputs.length === 0 ? (
          <p class="quiet">{t('No sensors. The service has stopped, and its data stays.')}</p>
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
        <Section title={t('Teach states')}>
          <Teach serviceId={id} inputs={inputs} />
        </Section>
      )}
      {inputs[0] && (
        <Section title={t('Settings')}>
          <Methods serviceId={id} inputs={inputs} kind={kind} />
        </Section>
      )}
    </>
  );
}
