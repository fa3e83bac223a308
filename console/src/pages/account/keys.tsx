import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../../api';
import { formatAge, formatDate, formatMany } from '../../format';
import { CopyButton } from '../../ui/copy';
import { DangerButton, DialogButton } from '../../ui/dialog';
import { Check, Field, Form, Select } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { PickSensors } from '../../ui/pick-sensors';
import { Table } from '../../ui/table';
import { useResource } from '../../use-resource';

type Key = Records['KeyView'];
type Scope = Records['KeyScope'];

const SCOPES: readonly (readonly [Scope, string])[] = [
  ['data:write', 'upload and delete data points'],
  ['sensors:create', 'make a sensor for each new name that an agent or a device sends'],
  ['read', 'read everything'],
  ['write', 'change everything but the account'],
];

/** The keys of devices and programs. */
export function Keys() {
  const keys = useResource('keys', () =>
    all(async (query) => (await ask(api.get('/keys', { params: { query } }))).keys),
  );
  return (
    <div class="stack">
      <Loaded resource={keys}>
        {(list) => (list.length === 0 ? <p class="quiet">No keys yet.</p> : <List list={list} reload={keys.reload} />)}
      </Loaded>
      <div>
        <DialogButton text="New key" title="New key">
          {(close) => <NewKey close={close} onDone={keys.reload} />}
        </DialogButton>
      </div>
    </div>
  );
}

function List({ list, reload }: { list: readonly Key[]; reload: () => void }) {
  return (
    <Table<Key>
      caption="Keys"
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Key',
          cell: ({ name, hint, sensors }) => (
            <div>
              <strong>{name}</strong>
              <div class="small quiet">
                ends in <code>{hint}</code>
                {sensors.length > 0 &&
                  `, for ${sensors.length === 1 ? 'one sensor' : `${sensors.length} sensors`} only`}
              </div>
            </div>
          ),
        },
        {
          name: 'May',
          cell: ({ scopes, create_limit }) => (
            <div>
              {scopes.join(', ')}
              {create_limit !== undefined && (
                <div class="small quiet">{formatMany(create_limit, 'sensor')} at most</div>
              )}
            </div>
          ),
        },
        {
          name: 'Used',
          cell: ({ last_used: used, expires }) => (
            <div>
              {used === null ? <span class="quiet">never</span> : formatAge(used)}
              {expires !== null && <div class="small quiet">expires {formatDate(expires)}</div>}
            </div>
          ),
        },
        { name: 'Actions', right: true, cell: (key) => <Delete item={key} onDone={reload} /> },
      ]}
    />
  );
}

function Delete({ item: { id, name }, onDone }: { item: Key; onDone: () => void }) {
  return (
    <DangerButton
      text="Delete"
      kind="danger small-button"
      label={`Delete the key ${name}`}
      title={`Delete the key ${name}?`}
      consequence="What uses it is refused from now on."
      act={async () => {
        await ask(api.delete('/keys/{id}', { params: { path: { id } } }));
        onDone();
      }}
    />
  );
}

const DAYS = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['365', 'In a year'],
] as const;

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
    <Form label="Create" submit={submit} onCancel={close}>
      <Field label="Name" value={name} onValue={setName} placeholder="Greenhouse node" required />
      <fieldset>
        <legend class="label">Permissions</legend>
        {SCOPES.map(([scope, text]) => (
          <Check
            key={scope}
            label={text}
            checked={scopes.includes(scope)}
            onChecked={(on) => setScopes(on ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
          />
        ))}
      </fieldset>
      {makesSensors && (
        <Field
          label="Most sensors that it may make"
          type="number"
          min={0}
          step={1}
          value={limit}
          onValue={setLimit}
          hint="A device that keeps sending new names cannot make more."
          required
        />
      )}
      <Select label="Expires" value={days} onValue={setDays} options={DAYS} />
      <PickSensors label="Limit to these sensors (optional)" chosen={sensors} onChosen={setSensors} />
    </Form>
  );
}

function Secret({ secret, close }: { secret: string; close: () => void }) {
  return (
    <>
      <p>Copy this key now. You will not see it again.</p>
      <code class="secret">{secret}</code>
      <p class="small quiet">
        Send it in a header, as <code>Authorization: Bearer …</code>. For a device, <em>Connect a device</em> on the
        page of its sensor shows the whole code.
      </p>
      <div class="actions">
        <CopyButton text={secret} label="Copy the key" />
        <button type="button" class="button primary" onClick={close}>
          Done
        </button>
      </div>
    </>
  );
}
