import type { Records } from '../../api';
import { personName } from '../../format';
import { t } from '../../language';
import { useUser } from '../../session';

/** Whose alert it is, if it is another user's, and whom it is assigned to. */
export function TeamOf({ firing }: { firing: Records['FiringView'] }) {
  const me = useUser().id;
  const { owner_id: id, owner_username: username, assigned } = firing;
  const nameOf = (one: { id: string; username: string | null }) => personName({ ...one, username: one.username ?? '' });
  return (
    <>
      {id !== me && <span class="small quiet">{t('of {person}', { person: nameOf({ id, username }) })}</span>}{' '}
      {assigned && (
        <span class="small quiet">
          {assigned.user_id === me
            ? t('assigned to you')
            : t('assigned to {person}', { person: nameOf({ id: assigned.user_id, username: assigned.username }) })}
        </span>
      )}
    </>
  );
}
