import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../../api';
import { personName } from '../../format';
import { joinRequestsChanged } from '../../join-requests';
import { type PlainText, t } from '../../language';
import { useUser } from '../../session';
import { Action } from '../../ui/action';
import { DangerButton, DialogButton } from '../../ui/dialog';
import { Check, Form } from '../../ui/form';
import { later } from '../../ui/later';
import { Loaded, Status } from '../../ui/page';
import { Table } from '../../ui/table';
import { useResource } from '../../use-resource';
import { Invitations } from '../invitations/sent';

const History = later(() => import('../history/history').then((one) => one.History));

type Member = Records['GroupUserView'];
type Rights = Records['GroupPermissionsView'];

const RIGHTS: readonly (readonly [keyof Rights, PlainText])[] = [
  ['list_users', 'see the members'],
  ['add_users', 'accept users'],
  ['remove_users', 'remove users'],
  ['list_sensors', 'see the sensors'],
  ['add_sensors', 'add sensors'],
  ['remove_sensors', 'remove sensors'],
  ['see_alerts', 'see the alerts'],
  ['handle_alerts', 'handle the alerts'],
  ['edit_group', 'change rights'],
];

/** The members of a group and waiting users, with their rights. */
export function Members({ groupId }: { groupId: string }) {
  const members = useResource(`members ${groupId}`, () =>
    all(async (query) => {
      const params = { path: { group_id: groupId }, query: { ...query, details: 'full' as const } };
      return (await ask(api.get('/groups/{group_id}/users', { params }))).users;
    }),
  );
  const reload = () => {
    members.reload();
    joinRequestsChanged();
  };
  const me = useUser().id;
  return (
    <Loaded resource={members}>
      {(list) => (
        <>
          <Table<Member>
            caption={t('Members')}
            rows={list}
            keyOf={(member) => member.id || JSON.stringify(member)}
            columns={[
              { name: t('Member'), cell: (member) => <Name member={member} /> },
              {
                name: t('Rights'),
                cell: ({ group_permissions: rights }) => <span class="small quiet">{rightsText(rights)}</span>,
              },
              {
                name: t('Actions'),
                right: true,
                cell: (member) => <Buttons {...{ groupId, member, reload, own: rightsOf(list, me) }} />,
              },
            ]}
          />
          {rightsOf(list, me)?.add_users && <Invitations id={groupId} isGroup />}
          {rightsOf(list, me)?.edit_group && <GroupHistory groupId={groupId} />}
        </>
      )}
    </Loaded>
  );
}

/** Loaded when it is opened. */
function GroupHistory({ groupId }: { groupId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('History')}</summary>
      {isOpen && <History groupId={groupId} />}
    </details>
  );
}

function Name({ member }: { member: Member }) {
  const { username, name = '', surname = '', email, mobile, accepted } = member;
  const details = [username && `${name} ${surname}`.trim(), email, mobile];
  return (
    <div>
      <strong>{useMemberName()(member)}</strong>{' '}
      {accepted === false && <Status kind="warn">{t('asks to join')}</Status>}
      <div class="small quiet breakable">{details.filter(Boolean).join(' · ')}</div>
    </div>
  );
}

/** The names of members; users see their own name, shown or not. */
function useMemberName(): (member: Member) => string {
  const { id, username } = useUser();
  return (member) => (member.id === id ? t('{username} (you)', { username: username }) : personName(member));
}

/** The rights of a user among these members; undefined if they are not shown. */
function rightsOf(list: readonly Member[], userId: string): Rights | undefined {
  return list.find(({ id }) => id === userId)?.group_permissions;
}

function rightsText(rights: Rights | undefined): string {
  if (!rights) return '';
  const held = RIGHTS.filter(([right]) => rights[right]);
  return held.length === RIGHTS.length ? t('all rights') : held.map(([, text]) => t(text)).join(', ') || t('no rights');
}

interface MemberProps {
  groupId: string;
  member: Member;
  reload: () => void;
}

/** `own`: the rights of the viewer; actions without a right are not offered. */
function Buttons({ groupId, member, reload, own }: MemberProps & { own: Rights | undefined }) {
  const { id } = member;
  const isMember = member.accepted !== false;
  const name = useMemberName()(member);
  const isSelf = id === useUser().id;
  if (!id) return null;
  const accept = async () => {
    const params = { path: { group_id: groupId } };
    await ask(api.post('/groups/{group_id}/users', { params, body: { user: { id } } }));
    reload();
  };
  const remove = async () => {
    await ask(
      api.delete('/groups/{group_id}/users/{user_id}', { params: { path: { group_id: groupId, user_id: id } } }),
    );
    reload();
  };
  return (
    <div class="actions">
      {!isMember && own?.add_users && (
        <Action kind="small-button primary" label={t('Accept {name}', { name })} act={accept}>
          {t('Accept')}
        </Action>
      )}
      {isMember && (own?.add_users || own?.edit_group) && <RightsButton {...{ groupId, member, name, reload }} />}
      {!isSelf && own?.remove_users && (
        <DangerButton
          text={isMember ? t('Remove') : t('Decline')}
          kind="danger small-button"
          label={isMember ? t('Remove {name}', { name }) : t('Decline {name}', { name })}
          title={isMember ? t('Remove {name}?', { name }) : t('Decline {name}?', { name })}
          consequence={isMember ? t('Their sensors leave the group with them.') : t('They can ask again.')}
          act={remove}
        />
      )}
    </div>
  );
}

/** Empty for viewers who may not see the rights of others. */
function RightsButton({
  groupId,
  member: { id, group_permissions: rights },
  name,
  reload,
}: MemberProps & { name: string }) {
  if (!id || !rights) return null;
  const save = async (changed: Rights) => {
    const path = { group_id: groupId, user_id: id };
    const body = { group_permissions: changed };
    await ask(api.put('/groups/{group_id}/users/{user_id}', { params: { path }, body }));
    reload();
  };
  return (
    <DialogButton
      text={t('Rights')}
      title={t('What {name} may do', { name })}
      kind="small-button"
      label={t('Rights of {name}', { name })}
    >
      {(close) => <RightsForm rights={rights} onCancel={close} save={(changed) => save(changed).then(close)} />}
    </DialogButton>
  );
}

function RightsForm({
  rights,
  save,
  onCancel,
}: {
  rights: Rights;
  save: (rights: Rights) => Promise<void>;
  onCancel: () => void;
}) {
  const [changed, setChanged] = useState(rights);
  return (
    <Form label={t('Save')} submit={() => save(changed)} onCancel={onCancel}>
      <div>
        {RIGHTS.map(([right, text]) => (
          <Check
            key={right}
            label={t(text)}
            checked={changed[right]}
            onChecked={(on) => setChanged({ ...changed, [right]: on })}
          />
        ))}
      </div>
    </Form>
  );
}
