import type { Transaction } from 'sequelize';
import { Forbidden, NotFound } from '../platform/errors';
import { GroupUser } from '../storage/models/group-user.model';
import { UserGroup } from '../storage/models/user-group.model';
import { hasRight, isMember, mayKnow, mayReadGroup } from './group.policy';
import type { GroupRight } from './group-rights';
import { lockUser } from './locked-user';

// Nothing is cached. In a transaction each function locks the group.

export interface AccessedGroup {
  group: UserGroup;
  /** Null for neither a member nor a join request. */
  membership: GroupUser | null;
}

export interface JoinedGroup extends AccessedGroup {
  membership: GroupUser;
}

const ACTIONS: Record<GroupRight, string> = {
  listUsers: 'list its users',
  addUsers: 'add users to it',
  removeUsers: 'remove users from it',
  listSensors: 'list its sensors',
  addSensors: 'add sensors to it',
  removeSensors: 'remove sensors from it',
  seeAlerts: 'see its alerts',
  handleAlerts: 'handle its alerts',
  editGroup: 'edit it',
};

/** Finds a hidden group as well: its id is enough to ask to join. */
export async function findGroup(userId: number, groupId: number, transaction?: Transaction): Promise<AccessedGroup> {
  const group = await UserGroup.findByPk(groupId, { transaction, lock: transaction?.LOCK.UPDATE });
  if (!group) throw new NotFound('the group');
  return { group, membership: await GroupUser.findOne({ where: { groupId, userId }, transaction }) };
}

/** Throws NotFound if the user may not know of the group. */
export async function findKnownGroup(userId: number, groupId: number, transaction?: Transaction) {
  const found = await findGroup(userId, groupId, transaction);
  if (!mayKnow(found.group, found.membership)) throw new NotFound('the group');
  return found;
}

/** Throws NotFound, or Forbidden if the user may know of it. */
export async function findReadableGroup(userId: number, groupId: number): Promise<UserGroup> {
  const { group, membership } = await findKnownGroup(userId, groupId);
  if (!mayReadGroup(group, membership)) throw new Forbidden('only members may see this group');
  return group;
}

/** Throws NotFound, or Forbidden if the user may know of it. */
export async function requireMember(userId: number, groupId: number, transaction?: Transaction): Promise<JoinedGroup> {
  const { group, membership } = await findKnownGroup(userId, groupId, transaction);
  if (!isMember(membership)) throw new Forbidden('only members of the group may do this');
  return { group, membership };
}

/** The user does not leave before the end of the transaction. Throws as `requireMember`. */
export async function lockOwnGroup(
  userId: number,
  groupId: number | null | undefined,
  transaction: Transaction,
): Promise<void> {
  if (groupId === null || groupId === undefined) return;
  await lockUser(userId, transaction); // before the group, as joining does
  await requireMember(userId, groupId, transaction);
}

/** Throws NotFound, or Forbidden if the user may know of it. */
export async function requireRight(
  userId: number,
  groupId: number,
  right: GroupRight,
  transaction?: Transaction,
): Promise<JoinedGroup> {
  const found = await requireMember(userId, groupId, transaction);
  authoriseRight(found.membership, right);
  return found;
}

export function authoriseRight(membership: GroupUser, right: GroupRight): void {
  if (!hasRight(membership, right)) throw new Forbidden(`in this group you may not ${ACTIONS[right]}`);
}
