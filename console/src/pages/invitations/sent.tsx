import { useState } from 'preact/hooks';
import { api, ask, ROOT } from '../../api';
import { formatShort } from '../../format';
import { many, t } from '../../language';
import { Action } from '../../ui/action';
import { NewSecret } from '../../ui/copy';
import { Field, Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { useResource } from '../../use-resource';

/** The operations of groups and sensors take and answer the same. */
const OF_GROUP = '/groups/{group_id}/invitations';
const OF_SENSOR = '/sensors/{id}/invitations' as typeof OF_GROUP;

interface Place {
  id: string;
  /** A sensor is shared with a user at once, without an invitation. */
  isGroup?: boolean;
}

/** Open invitations, with a form for a user of a group, and a button for a link. */
export function Invitations({ id, isGroup = false }: Place) {
  const operation = isGroup ? OF_GROUP : OF_SENSOR;
  const path = { id, group_id: id };
  const [username, setUsername] = useState('');
  const [link, setLink] = useState<string>();
  const sent = useResource(`invitations of ${operation} ${id}`, async (signal) => {
    return (await ask(api.get(operation, { params: { path, query: { per_page: 1000 } }, signal }))).invitations;
  });
  const invite = async (invitation: { username?: string }) => {
    const { token } = (await ask(api.post(operation, { params: { path }, body: { invitation } }))).invitation;
    setLink(token ? `${ROOT}console/invitations/${token}` : undefined);
    setUsername('');
    sent.reload();
  };
  const withdraw = async (invitation_id: string) => {
    const one = `${operation}/{invitation_id}` as `${typeof OF_GROUP}/{invitation_id}`;
    await ask(api.delete(one, { params: { path: { ...path, invitation_id } } }));
    setLink(undefined);
    sent.reload();
  };
  return (
    <div class="stack">
      <Loaded resource={sent}>
        {(list) =>
          list.length > 0 && (
            <ul class="rows">
              {list.map((one) => {
                const who = one.username ?? many(one.uses_left, 'A link for one person', 'A link for {n} people');
                const when = one.declined ? t('declined') : t('until {date}', { date: formatShort(one.expires) });
                return (
                  <li key={one.id} class="line spread">
                    <span class="breakable">
                      {who} <span class="small quiet">{when}</span>
                    </span>
                    <Action kind="small-button" act={() => withdraw(one.id)} label={`${t('Withdraw')}: ${who}`}>
                      {t('Withdraw')}
                    </Action>
                  </li>
                );
              })}
            </ul>
          )
        }
      </Loaded>
      {isGroup && (
        <Form label={t('Invite')} kind="" submit={() => invite({ username })}>
          <Field
            label={t('Invite a user')}
            hint={t('A username. They decide, and see yours.')}
            value={username}
            onValue={setUsername}
            required
          />
        </Form>
      )}
      {link ? (
        <NewSecret secret={link} label={t('Copy the link')} close={() => setLink(undefined)} />
      ) : (
        <div class="actions">
          <Action act={() => invite({})}>{t('Create a link for one person')}</Action>
        </div>
      )}
    </div>
  );
}
