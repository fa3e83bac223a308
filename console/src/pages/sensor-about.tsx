import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../api';
import { personName } from '../format';
import { t } from '../language';
import { href } from '../router';
import { Action } from '../ui/action';
import { Field, Form } from '../ui/form';
import { Loaded, Section } from '../ui/page';
import { useResource } from '../use-resource';
import { Invitations } from './invitations/sent';
import { SensorFrame } from './sensor/frame';
import { Metatags } from './sensor/metatags';
import { SHOWN_SERIES, useOrigin } from './sensor/origin';
import { Retention } from './sensor/retention';
import { valuesText } from './sensors/value-kinds';
import { titleOf } from './services/kinds';

type Sensor = Records['OwnedSensorView'];

/** The details of a sensor, and the users who may see it. */
export function SensorAboutPage({ id }: { id: string }) {
  return (
    <SensorFrame id={id} tab="about">
      {(sensor) => (
        <div class="columns">
          <div class="stack">
            <Facts sensor={sensor} />
            {!sensor.owner && (
              <Section title={t('Retention')}>
                <Retention id={sensor.id} />
              </Section>
            )}
          </div>
          <div class="stack">
            <Section title={t('Metatags')}>
              <Metatags sensor={sensor} />
            </Section>
            {!sensor.owner && (
              <Section title={t('Shared with')}>
                <Sharing id={sensor.id} />
              </Section>
            )}
          </div>
        </div>
      )}
    </SensorFrame>
  );
}

function Facts({ sensor }: { sensor: Sensor }) {
  const facts: [string, string][] = [
    [t('Id'), sensor.id],
    [t('Name'), sensor.name],
    [t('Shown as'), sensor.display_name],
    [t('Values'), valuesText(sensor.data_type)],
    [t('Unit'), unitsOf(sensor)],
    [sensor.type === '2' ? t('Kind') : t('Model of the device'), titleOf(sensor.device_type)],
    [t('Keeps data points'), sensor.use_data_storage ? t('yes') : t('no, only triggers see them')],
    [t('Owner'), sensor.owner ? personName(sensor.owner) : t('you')],
  ];
  return (
    <Section title={t('Facts')}>
      <dl class="facts">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
        <Origin sensor={sensor} />
      </dl>
    </Section>
  );
}

/** The unit of the values, or the unit of each field. */
function unitsOf({ unit, field_units }: Sensor): string {
  return [unit, ...Object.entries(field_units).map(([field, one]) => `${field} ${one}`)].filter(Boolean).join(' · ');
}

/** The series that lead to a sensor. */
function Origin({ sensor }: { sensor: Sensor }) {
  const series = useOrigin(sensor);
  if (!series.data?.length) return null;
  return (
    <>
      <dt>{t('Data comes from')}</dt>
      <dd>
        {series.data.slice(0, SHOWN_SERIES).map(({ id: key, source, name }) => (
          <div key={key}>
            {source} · {name}
          </div>
        ))}
        <a href={href(`/series?sensor=${sensor.id}`)}>{t('Show the series')}</a>
      </dd>
    </>
  );
}

function Sharing({ id }: { id: string }) {
  const users = useResource(`users of ${id}`, async (signal) => {
    const path = { id };
    return (await ask(api.get('/sensors/{id}/users', { params: { path, query: { per_page: 1000 } }, signal }))).users;
  });
  const end = async (user_id: string) => {
    await ask(api.delete('/sensors/{id}/users/{user_id}', { params: { path: { id, user_id } } }));
    users.reload();
  };
  return (
    <div class="stack">
      <Loaded resource={users}>
        {(list) =>
          list.length === 0 ? (
            <p class="quiet">{t('Only you can see this sensor.')}</p>
          ) : (
            <ul class="stack tight">
              {list.map((user) => (
                <Reader key={user.id} username={user.username} end={() => end(user.id)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <Share id={id} onDone={users.reload} />
      <Invitations id={id} />
    </div>
  );
}

function Reader({ username, end }: { username: string; end: () => Promise<void> }) {
  return (
    <li class="line spread">
      <span class="breakable">{username}</span>
      <Action
        kind="small-button"
        label={t('Stop sharing with {username}', { username })}
        act={end}
        done={t('{username} can no longer see this sensor.', { username })}
      >
        {t('Stop sharing')}
      </Action>
    </li>
  );
}

function Share({ id, onDone }: { id: string; onDone: () => void }) {
  const [username, setUsername] = useState('');
  const share = async () => {
    await ask(api.post('/sensors/{id}/users', { params: { path: { id } }, body: { user: { username } } }));
    setUsername('');
    onDone();
  };
  return (
    <Form label={t('Share')} submit={share} kind="">
      <Field
        label={t('Share with')}
        hint={t('A username. They can read all data of the sensor, and change nothing.')}
        value={username}
        onValue={setUsername}
        required
      />
    </Form>
  );
}
