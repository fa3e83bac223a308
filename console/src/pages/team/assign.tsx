import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { firingsChanged } from '../../firing-stream';
import { personName } from '../../format';
import { t } from '../../language';
import { useUser } from '../../session';
import { Form, Select } from '../../ui/form';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';
import { loadMembers, useMembership } from './rights';

type Firing = Records['FiringView'];

/** Assigns an alert to a colleague who sees it. */
export function Assign({ firing, onDone }: { firing: Firing; onDone: () => void }) {
  const { id, assigned } = firing;
  const [user, setUser] = useState(assigned?.user_id ?? '');
  const options = useColleagues(firing);
  const submit = async () => {
    const body = { user_id: user || null };
    await ask(api.post('/firings/{id}/assign', { params: { path: { id } }, body }));
    onDone();
    say(t('Assigned.'));
    firingsChanged();
  };
  return (
    <Form label={t('Assign')} kind="" submit={submit} onCancel={onDone}>
      <Select label={t('Assigned to')} value={user} onValue={setUser} options={[['', t('nobody')], ...options]} />
    </Form>
  );
}

/** The user, the owner, whom it is assigned to, and the members whom the user knows. */
function useColleagues({ owner_id, owner_username, assigned, group_id }: Firing): [id: string, name: string][] {
  const me = useUser();
  const group = group_id ?? '';
  const { list_users: mayList = false, add_users: accepts = false } = useMembership(group)?.group_permissions ?? {};
  const { data = [] } = useResource(`colleagues ${group} ${mayList}`, async () => (mayList ? loadMembers(group) : []));
  const seeing = data.filter(
    ({ accepted, username, group_permissions: rights }) =>
      accepted !== false && rights?.see_alerts && (username || accepts),
  );
  const known = seeing.flatMap((one) => (one.id ? [[one.id, personName({ ...one, id: one.id })] as const] : []));
  const others = new Map([
    [owner_id, owner_username ?? ''],
    ...(assigned ? [[assigned.user_id, assigned.username ?? ''] as const] : []),
    ...known,
    [me.id, t('me')] as const,
  ]);
  return [...others].map(([id, name]) => [id, name || personName({ id })]);
}
