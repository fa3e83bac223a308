import { api, ask } from '../../api';
import { t } from '../../language';
import { go } from '../../router';
import { useUser } from '../../session';
import { CopyButton, NewSecret } from '../../ui/copy';
import { Loaded, Page, Section } from '../../ui/page';
import { FirstMessage } from './first-message';
import { AddressNote, KeyForm } from './key-form';
import { makeSensorKey, makeWayKey, useNewKey } from './new-keys';
import { fill, useText, useWays, type Way } from './ways';

/** What to set up for one way to bring data in. */
export function WayPage({ name }: { name: string }) {
  const ways = useWays();
  const way = ways.data?.find((one) => one.name === name);
  return (
    <Page
      title={way?.title ?? t('Connect a device')}
      lead={way?.hint}
      crumb={{ path: '/connect', name: t('Other devices') }}
    >
      <Loaded resource={ways}>
        {() => {
          if (!way) return <p class="quiet">{t('There is no such device.')}</p>;
          return way.language ? <NewSensorAndKey way={way} /> : <SetUp way={way} />;
        }}
      </Loaded>
    </Page>
  );
}

/** A device that uploads to one sensor: the page of the sensor continues. */
function NewSensorAndKey({ way: { language } }: { way: Way }) {
  const user = useUser();
  const make = async (name: string) => {
    const { sensor } = await ask(api.post('/sensors', { body: { sensor: { name, data_type: 'float' } } }));
    await makeSensorKey(user.id, sensor.id, name, language);
    go(`/sensors/${sensor.id}`);
  };
  return (
    <KeyForm label={t('Create sensor and key')} field={t('Name of the sensor')} name={t('My device')} make={make}>
      {t(
        'The device gets its own key, which can only upload to this sensor. Next you see the code for curl, ESP32, Python and Node.js.',
      )}
    </KeyForm>
  );
}

/** Something that names its series: it gets a key that makes sensors for them. */
function SetUp({ way }: { way: Way }) {
  const user = useUser();
  const { key, putAway } = useNewKey(way.name);
  return (
    <>
      <Section
        title={t('1. The key')}
        actions={
          key && (
            <button type="button" class="button small-button" onClick={putAway}>
              {t('Done')}
            </button>
          )
        }
      >
        {key ? (
          <NewSecret secret={key.secret} label={t('Copy the key')} />
        ) : (
          <KeyForm
            label={t('Create the key')}
            field={t('Name of the key')}
            name={way.title}
            make={(name) => makeWayKey(user.id, way.name, name)}
          >
            {t(
              'The key can store data and create up to {n} sensors for the names that arrive. It can neither read nor change anything.',
              { n: 1_000 },
            )}
          </KeyForm>
        )}
      </Section>
      <Section title={t('2. Set it up')}>
        <ol class="steps">
          {way.steps?.map((step) => (
            <li key={step}>{withCode(step)}</li>
          ))}
        </ol>
        {way.text && <Text name={way.text} title={way.file ?? ''} secret={key?.secret} />}
        {way.settings && <Settings settings={way.settings} secret={key?.secret} />}
        <AddressNote />
      </Section>
      <Section title={t('3. The first message')}>
        {key ? (
          <FirstMessage made={key} source={way.source ?? ''} />
        ) : (
          <p class="quiet">{t('Once you have created the key, messages appear here.')}</p>
        )}
      </Section>
    </>
  );
}

interface Filled {
  secret: string | undefined;
}

function Settings({ settings, secret }: { settings: NonNullable<Way['settings']> } & Filled) {
  return (
    <>
      <h3 class="label">{t('Settings')}</h3>
      <dl class="facts settings">
        {settings.map(([name, value]) => {
          const text = fill(value, secret === undefined ? {} : { key: secret });
          return (
            <>
              <dt>{name}</dt>
              <dd class="line">
                <code>{text}</code>
                {secret !== undefined && text !== value && (
                  <CopyButton text={text} label={t('Copy: {name}', { name })} />
                )}
              </dd>
            </>
          );
        })}
      </dl>
    </>
  );
}

function Text({ name, title, secret }: { name: string; title: string } & Filled) {
  const text = useText(name);
  return (
    <Loaded resource={text}>
      {(data) => {
        const filled = fill(data, secret === undefined ? {} : { key: secret });
        return (
          <>
            <div class="line spread">
              <h3 class="label">{title}</h3>
              {secret !== undefined && <CopyButton text={filled} label={t('Copy the text')} />}
            </div>
            <pre class="secret code">{filled}</pre>
          </>
        );
      }}
    </Loaded>
  );
}

/** A text with `code` and *names* in it. */
function withCode(text: string) {
  return text.split(/(`[^`]+`|\*[^*]+\*)/).map((part, at) => {
    if (at % 2 === 0) return part;
    const inner = part.slice(1, -1);
    return part.startsWith('`') ? <code>{inner}</code> : <em>{inner}</em>;
  });
}
