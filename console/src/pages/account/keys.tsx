import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../../api';
import { formatAge, formatDate } from '../../format';
import { many, type PlainText, t, tx } from '../../language';
import { NewSecret } from '../../ui/copy';
import { DeleteButton, DialogButton } from '../../ui/dialog';
import { Check, Field, Form, Select } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { PickSensors } from '../../ui/pick-sensors';
import { Table } from '../../ui/table';
import { useResource } from '../../use-resource';

type Key = Records['KeyView'];
type Scope = Records['KeyScope'];

const SCOPES: readonly (readonly [Scope, PlainText])[] = [
  ['data:write', 'upload and delete data points'],
  ['sensors:create', 'create a sensor for each new name that a device sends'],
  ['rules:propose', 'try changed rules as shadows'],
  ['read', 'read everything'],
  ['write', 'change everything except the account'],
];

/** Permissions in words. */
export function permissionsOf(scopes: readonly string[]): string {
  return SCOPES.filter(([scope]) => scopes.includes(scope))
    .map(([, text]) => t(text))
    .join(', ');
}

/** The keys of devices and programs. */
export function Keys() {
  const keys = useResource('keys', () =>
    all(async (query) => (await ask(api.get('/keys', { params: { query } }))).keys),
  );
  return (
    <div class="stack">
      <Loaded resource={keys}>
        {(list) =>
          list.length === 0 ? <p class="quiet">{t('No keys yet.')}</p> : <List list={list} reload={keys.reload} />
        }
      </Loaded>
      <div>
        <DialogButton text={t('New key')} title={t('New key')} kind="primary">
          {(close) => <NewKey close={close} onDone={keys.reload} />}
        </DialogButton>
      </div>
    </div>
  );
}

function List({ list, reload }: { list: readonly Key[]; reload: () => void }) {
  return (
    <Table<Key>
      caption={t('Keys')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('Key'),
          cell: ({ name, hint, sensors }) => (
            <div>
              <strong>{name}</strong>
              <div class="small quiet">
                {tx('ends in {hint}', { hint: <code>{hint}</code> })}
                {sensors.length > 0 && `, ${many(sensors.length, 'only for {n} sensor', 'only for {n} sensors')}`}
              </div>
            </div>
          ),
        },
        {
          name: t('Permissions'),
          cell: ({ scopes, create_limit }) => (
            <div>
              {permissionsOf(scopes)}
              {create_limit !== undefined && (
                <div class="small quiet">{many(create_limit, 'at most {n} sensor', 'at most {n} sensors')}</div>
              )}
            </div>
          ),
        },
        {
          name: t('Used'),
          cell: ({ last_used: used, expires }) => (
            <div>
              {used === null ? <span class="quiet">{t('never')}</span> : formatAge(used)}
              {expires !== null && <div class="small quiet">{t('expires {date}', { date: formatDate(expires) })}</div>}
            </div>
          ),
        },
        { name: t('Actions'), right: true, cell: (key) => <Delete item={key} onDone={reload} /> },
      ]}
    />
  );
}

function Delete({ item: { id, name }, onDone }: { item: Key; onDone: () => void }) {
  return (
    <DeleteButton
      name={name}
      consequence={t('Devices and programs that use it are refused from now on.')}
      act={async () => {
        await ask(api.delete('/keys/{id}', { params: { path: { id } } }));
        onDone();
      }}
    />
  );
}

const DAYS: readonly (readonly [days: string, text: PlainText])[] = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['365', 'In a year'],
];

function NewKey({ close, onDone }: { close: () => void; onDone: () => void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['data:write']);
  const [sensors, setSensors] = useState<readonly string[]>([]);
  const [days, setDays] = useState('');
  const [limit, setLimit] = useState('1000');
  const makesSensors = scopes.includes('sensors:create') || scopes.includes('write');
  const [secret, setSecret] = useState<string>();
  const submit = async () => {
    const expires = days ? Math.floor(Date.now() / 1000) + Number(days) * 86_400 : undefined;
    const create_limit = makesSensors ? Number(limit) : undefined;
    const key = {
      ...{ name, scopes: [...scopes], sensors: [...sensors] },
      ...(expires && { expires }),
      ...(create_limit !== undefined && { create_limit }),
    };
    setSecret((await ask(api.post('/keys', { body: { key } }))).key.secret);
    onDone();
  };
  if (secret !== undefined) return <Secret secret={secret} close={close} />;
  return (
    <Form label={t('Create')} submit={submit} onCancel={close}>
      <Field label={t('Name')} value={name} onValue={setName} placeholder={t('Greenhouse node')} required />
      <fieldset>
        <legend class="label">{t('Permissions')}</legend>
        {SCOPES.map(([scope, text]) => (
          <Check
            key={scope}
            label={t(text)}
            checked={scopes.includes(scope)}
            onChecked={(on) => setScopes(on ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
          />
        ))}
      </fieldset>
      {makesSensors && <Limit value={limit} onValue={setLimit} />}
      <Select
        label={t('Expires')}
        value={days}
        onValue={setDays}
        options={DAYS.map(([value, text]) => [value, t(text)] as const)}
      />
      <PickSensors label={t('Limit to these sensors (optional)')} chosen={sensors} onChosen={setSensors} />
    </Form>
  );
}

function Limit({ value, onValue }: { value: string; onValue: (limit: string) => void }) {
  return (
    <Field
      label={t('Maximum number of sensors it may create')}
      type="number"
      min={0}
      step={1}
      value={value}
      onValue={onValue}
      hint={t('A device that keeps sending new names cannot create more.')}
      required
    />
  );
}

function Secret({ secret, close }: { secret: string; close: () => void }) {
  return (
    <>
      <NewSecret secret={secret} label={t('Copy the key')} close={close} />
      <p class="small quiet">
        {tx(
          'Send it in a header, as {header}. For a device, “Connect a device” on the page of its sensor shows the code.',
          {
            header: <code>Authorization: Bearer …</code>,
          },
        )}
      </p>
    </>
  );
}
