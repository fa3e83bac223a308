import { api, ask, type Records } from '../../api';
import { useUser } from '../../session';
import { DangerButton } from '../../ui/dialog';

interface LeaveProps {
  group: Pick<Records['ListedGroupView'], 'id' | 'name' | 'membership'>;
  onDone: () => void;
  kind?: string;
}

/** Leaves a group, or withdraws the request to join it. */
export function LeaveButton({ group: { id, name, membership }, onDone, kind }: LeaveProps) {
  const user = useUser();
  const isMember = membership === 'accepted';
  const leave = async () => {
    const path = { group_id: id, user_id: user.id };
    await ask(api.delete('/groups/{group_id}/users/{user_id}', { params: { path } }));
    onDone();
  };
  return (
    <DangerButton
      text={isMember ? 'Leave' : 'Withdraw'}
      kind={kind}
      label={isMember ? `Leave ${name}` : `Withdraw the request to join ${name}`}
      title={isMember ? `Leave ${name}?` : `Withdraw the request to join ${name}?`}
      consequence={
        isMember
          ? 'Your sensors leave it with you. A group without members is deleted.'
          : 'Its members no longer see that you asked.'
      }
      act={leave}
    />
  );
}
