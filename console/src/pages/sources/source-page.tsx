import { useState } from 'preact/hooks';
import { api, ask } from '../../api';
import { useDraft } from '../../drafts';
import { formatList } from '../../format';
import { t } from '../../language';
import { go, href } from '../../router';
import { Field, Form, Select } from '../../ui/form';
import { Loaded, Page } from '../../ui/page';
import { useResource } from '../../use-resource';
import { State } from '../sources';
import { DECODERS, type Decoder, type Fields, fieldsOf, RETAINED, type Source, sourceOf, withDecoder } from './source';

const NEW = 'new';

/** The form of a source; `new` is the id of one that does not exist yet. */
export function SourcePage({ id }: { id: string }) {
  const source = useResource(
    `source ${id}`,
    async (signal) => {
      if (id === NEW) return {};
      const { mqtt_source } = await ask(api.get('/mqtt_sources/{id}', { params: { path: { id } }, signal }));
      return { stored: mqtt_source };
    },
    { everyMs: 5_000 },
  );
  return (
    <Page
      title={id === NEW ? t('New MQTT source') : (source.data?.stored?.name ?? t('MQTT source'))}
      crumb={{ path: '/sources', name: t('MQTT sources') }}
      actions={
        id !== NEW && (
          <a class="button" href={href(`/sources/${id}/messages`)}>
            {t('Latest messages')}
          </a>
        )
      }
    >
      <Loaded resource={source}>
        {({ stored }) => (
          <>
            {stored && <State source={stored} />}
            <SourceForm stored={stored} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function SourceForm({ stored }: { stored?: Source | undefined }) {
  const [fields, setFields] = useDraft<Fields>(`source ${stored?.id}`, fieldsOf(stored));
  const [password, setPassword] = useState('');
  const set = (name: keyof Fields) => (value: string) => setFields({ ...fields, [name]: value });
  const submit = async () => {
    const body = { mqtt_source: sourceOf(fields, password) };
    if (stored) await ask(api.put('/mqtt_sources/{id}', { params: { path: { id: stored.id } }, body }));
    else await ask(api.post('/mqtt_sources', { body }));
    go('/sources');
  };
  return (
    <Form label={t(stored ? 'Save' : 'Connect')} submit={submit} onCancel={() => go('/sources')}>
      <Field
        label={t('Name')}
        value={fields.name}
        onValue={set('name')}
        placeholder={t('Broker at home')}
        required
        maxLength={255}
      />
      <Field
        label={t('Broker')}
        type="url"
        value={fields.url}
        onValue={set('url')}
        placeholder="mqtts://broker.example.org:8883"
        hint={t('{schemes}. The platform must be able to reach it.', {
          schemes: formatList(['mqtts://', 'mqtt://', 'wss://', 'ws://'], 'disjunction'),
        })}
        required
      />
      <Messages fields={fields} setFields={setFields} />
      <Field label={t('Username')} value={fields.username} onValue={set('username')} autocomplete="off" />
      <Field
        label={t('Password')}
        type="password"
        value={password}
        onValue={setPassword}
        autocomplete="new-password"
        hint={stored?.password ? t('A password is stored. Leave this empty to keep it.') : undefined}
      />
      <More fields={fields} set={set} />
    </Form>
  );
}

/** Which messages matter. */
function Messages({ fields, setFields }: { fields: Fields; setFields: (fields: Fields) => void }) {
  return (
    <>
      <Select
        label={t('Format of the messages')}
        value={fields.decoder}
        onValue={(decoder) => setFields(withDecoder(fields, decoder as Decoder))} // the options are decoders
        options={DECODERS.map(([name, title]) => [name, title] as const)}
      />
      <Field
        label={t('Topics')}
        rows={3}
        isCode
        value={fields.topics}
        onValue={(topics) => setFields({ ...fields, topics })}
        hint={t('One per line. + stands for one level, # at the end for all further levels.')}
        required
      />
    </>
  );
}

/** What the usual broker does not need. */
function More({ fields, set }: { fields: Fields; set: (name: keyof Fields) => (value: string) => void }) {
  return (
    <details class="more">
      <summary>{t('Version, certificate, limit')}</summary>
      <div class="stack">
        <Select
          label={t('MQTT version')}
          value={fields.version}
          onValue={set('version')}
          options={[
            ['4', '3.1.1'],
            ['5', '5'],
          ]}
        />
        <Field
          label={t('Certificate of a certificate authority')}
          rows={4}
          isCode
          value={fields.ca}
          onValue={set('ca')}
          placeholder="-----BEGIN CERTIFICATE-----"
          hint={t(
            'In PEM format. Only needed if no public certificate authority signed the certificate of the broker.',
          )}
        />
        <Field
          label={t('Maximum number of new sensors')}
          type="number"
          min={0}
          step={1}
          value={fields.limit}
          onValue={set('limit')}
          required
        />
        <Select
          label={t('Retained messages')}
          value={fields.retained}
          onValue={set('retained')}
          options={RETAINED}
          hint={t('What the broker has kept, and delivers again for a new subscription.')}
        />
      </div>
    </details>
  );
}
