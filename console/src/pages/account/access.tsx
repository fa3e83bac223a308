import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../../api';
import { formatAge } from '../../format';
import { t } from '../../language';
import { Action } from '../../ui/action';
import { Field, Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { Table } from '../../ui/table';
import { useResource } from '../../use-resource';
import { permissionsOf } from './keys';

type Authorization = Records['AuthorizationView'];

/** The applications with access to the account. */
export function Authorizations() {
  const allowed = useResource('authorizations', () =>
    all(async (query) => (await ask(api.get('/oauth/authorizations', { params: { query } }))).authorizations),
  );
  return (
    <Loaded resource={allowed}>
      {(list) =>
        list.length === 0 ? (
          <p class="quiet">{t('No application may use your account.')}</p>
        ) : (
          <Table<Authorization>
            caption={t('Applications that may use your account')}
            rows={list}
            keyOf={({ id }) => id}
            columns={[
              { name: t('Application'), cell: ({ application }) => <strong>{application.name}</strong> },
              { name: t('Permissions'), cell: ({ scopes }) => permissionsOf(scopes) },
              { name: t('Used'), cell: ({ last_used: used }) => (used === null ? t('never') : formatAge(used)) },
              {
                name: t('Actions'),
                right: true,
                cell: (one) => <Revoke authorization={one} onDone={allowed.reload} />,
              },
            ]}
          />
        )
      }
    </Loaded>
  );
}

function Revoke({ authorization: { id, application }, onDone }: { authorization: Authorization; onDone: () => void }) {
  return (
    <Action
      kind="danger small-button"
      label={t('Revoke {name}', { name: application.name })}
      act={async () => {
        await ask(api.delete('/oauth/authorizations/{id}', { params: { path: { id } } }));
        onDone();
      }}
    >
      {t('Revoke')}
    </Action>
  );
}

/** Users who cannot share anything with this user. */
export function BlockedUsers() {
  const users = useResource('blocked', () =>
    all(async (query) => (await ask(api.get('/users/blocked', { params: { query } }))).users),
  );
  return (
    <div class="stack">
      <Loaded resource={users}>
        {(list) =>
          list.length === 0 ? (
            <p class="quiet">{t('Nobody is blocked.')}</p>
          ) : (
            <ul class="stack tight">
              {list.map((user) => (
                <li key={user.id} class="line spread">
                  <span>{nameOf(user)}</span>
                  <Action
                    kind="small-button"
                    label={t('Unblock {name}', { name: nameOf(user) })}
                    act={async () => {
                      await ask(api.delete('/users/blocked/{id}', { params: { path: { id: user.id } } }));
                      users.reload();
                    }}
                  >
                    {t('Unblock')}
                  </Action>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Block onDone={users.reload} />
    </div>
  );
}

/** A user who was blocked by id alone has no name here. */
function nameOf({ id, username }: { id: string; username: string }): string {
  return username || t('user {id}', { id });
}

function Block({ onDone }: { onDone: () => void }) {
  const [username, setUsername] = useState('');
  const block = async () => {
    await ask(api.post('/users/blocked', { body: { user: { username } } }));
    setUsername('');
    onDone();
  };
  return (
    <Form label={t('Block')} kind="" submit={block}>
      <Field label={t('Username')} value={username} onValue={setUsername} required autocomplete="off" />
    </Form>
  );
}
