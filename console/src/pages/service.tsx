import { api, ask, type Records } from '../api';
import { sensorName } from '../format';
import { t } from '../language';
import { go, href } from '../router';
import { DangerButton, DialogButton } from '../ui/dialog';
import { Loaded, Page, Section } from '../ui/page';
import { useResource } from '../use-resource';
import { useSensorNames } from './names';
import type { Sensor } from './sensors/load';
import { Inputs } from './services/inputs';
import { KINDS, learns } from './services/kinds';
import { Learned, Methods } from './services/methods';
import { Teach } from './services/teach';
import { useMethods } from './services/use-methods';

interface Found {
  sensor: Records['OwnedSensorView'];
  inputs: Sensor[];
  /** Why it could not compute the latest points. */
  error: string | undefined;
}

/** A service: its inputs, its settings, and its learnt states. */
export function ServicePage({ id }: { id: string }) {
  const service = useResource(`service ${id}`, (signal) => load(id, signal), { everyMs: 10_000 });
  const { data } = service;
  const kind = data && KINDS[data.sensor.device_type];
  return (
    <Page
      title={data ? sensorName(data.sensor) : t('Service')}
      crumb={{ path: '/services', name: t('Services') }}
      lead={kind && `${t(kind.title)}: ${t(kind.does)}`}
      actions={data && <Buttons {...data} />}
    >
      <Loaded resource={service}>{(found) => <Parts {...found} onChange={service.reload} />}</Loaded>
    </Page>
  );
}

async function load(id: string, signal: AbortSignal): Promise<Found> {
  const path = { id };
  const [{ sensor }, { sensors }] = await Promise.all([
    ask(api.get('/sensors/{id}', { params: { path }, signal })),
    ask(api.get('/sensors/{id}/sensors', { params: { path, query: { per_page: 1000 } }, signal })),
  ]);
  const inputs = sensors.filter((one): one is Sensor => 'name' in one);
  return { sensor, inputs, error: inputs[0] && (await errorOf(id, inputs[0].id, signal)) };
}

async function errorOf(id: string, input: string, signal: AbortSignal): Promise<string | undefined> {
  const params = { path: { id: input }, query: { per_page: 1000 } };
  const { services } = await ask(api.get('/sensors/{id}/services', { params, signal }));
  return services.find((one) => one.id === id)?.last_error;
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

function Parts({ sensor, inputs, error, onChange }: Found & { onChange: () => void }) {
  const { id, device_type: kind } = sensor;
  const nameOf = useSensorNames();
  return (
    <>
      {error && <p class="message warn breakable">{t('The latest points could not be used: {error}', { error })}</p>}
      <Section
        title={t('Fed by')}
        actions={
          inputs.length > 0 && (
            <DialogButton text={t('Change')} title={sensorName(sensor)}>
              {(close) => (
                <Inputs service={sensor} inputs={inputs.map((input) => input.id)} close={close} onDone={onChange} />
              )}
            </DialogButton>
          )
        }
      >
        {inputs.length === 0 ? (
          <p class="quiet">{t('No sensors. The service has stopped, and its data stays.')}</p>
        ) : (
          <ul class="tags">
            {inputs.map((input) => (
              <li key={input.id} class="tag">
                <a href={href(`/sensors/${input.id}`)}>{nameOf(input)}</a>
              </li>
            ))}
          </ul>
        )}
      </Section>
      {inputs[0] && <Running id={id} kind={kind} inputs={inputs} first={inputs[0].id} />}
    </>
  );
}

/** What can be set and taught while sensors feed the service. */
function Running({ id, kind, inputs, first }: { id: string; kind: string; inputs: readonly Sensor[]; first: string }) {
  const { methods, call } = useMethods(first, id);
  return (
    <>
      {learns(kind) && (
        <Section title={t('Teach states')}>
          <Teach serviceId={id} inputs={inputs} onLearned={methods.reload} />
          <Loaded resource={methods}>{(called) => <Learned {...called} call={call} />}</Loaded>
        </Section>
      )}
      <Section title={t('Settings')}>
        <Loaded resource={methods}>{(called) => <Methods {...called} call={call} inputs={inputs} />}</Loaded>
      </Section>
    </>
  );
}
