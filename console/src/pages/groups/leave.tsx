import { api, ask, type Records } from '../../api';
import { t } from '../../language';
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
      text={isMember ? t('Leave') : t('Withdraw')}
      kind={kind}
      label={isMember ? t('Leave {name}', { name }) : t('Withdraw the request to join {name}', { name })}
      title={isMember ? t('Leave {name}?', { name }) : t('Withdraw the request to join {name}?', { name })}
      consequence={
        isMember
          ? t('Your sensors leave the group with you. A group without members is deleted.')
          : t('Its members no longer see that you asked.')
      }
      act={leave}
    />
  );
}
