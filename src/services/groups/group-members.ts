import type { Transaction } from 'sequelize';
import type { GroupUser } from '../../models/group-user.model';
import { User } from '../../models/user.model';

/** A user in a group, or one who waits to be accepted. */
export interface GroupMember {
  membership: GroupUser;
  user: User;
}

/** The memberships with their users, in one query. */
export async function withUsers(memberships: readonly GroupUser[], transaction?: Transaction): Promise<GroupMember[]> {
  const ids = memberships.map(({ userId }) => userId);
  const users = ids.length > 0 ? await User.findAll({ where: { id: ids }, transaction }) : [];
  const byId = new Map(users.map((user) => [user.id, user]));
  return memberships.flatMap((membership) => {
    const user = byId.get(membership.userId);
    return user ? [{ membership, user }] : [];
  });
}
