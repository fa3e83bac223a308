import type { Transaction } from 'sequelize';
import { commonRights, type GroupRights, pickRights, rightsOfNewMember } from '../../rules/group-rights';
import { FormerMember } from '../../storage/models/former-member.model';
import type { GroupUser } from '../../storage/models/group-user.model';
import type { UserGroup } from '../../storage/models/user-group.model';
import type { RemovalStep } from '../accounts/account-removal';

// A user has a row from leaving a group until they are a member of it again. All of this runs in transactions that have
// locked the group.

/** Stores the rights that a member has who leaves. A user who only asked to join has none: what is stored stays. */
export async function keepRights(membership: GroupUser, transaction: Transaction): Promise<void> {
  const { groupId, userId, accepted } = membership;
  if (accepted) await FormerMember.upsert({ groupId, userId, ...pickRights(membership) }, { transaction });
}

/** The rights of a user who joins, or asks to: those of new members, and of these only the ones they left with, if they did. */
export async function rightsOnJoining(
  group: UserGroup,
  userId: number,
  transaction: Transaction,
): Promise<GroupRights> {
  const former = await FormerMember.findOne({ where: { groupId: group.id, userId }, transaction });
  const rights = rightsOfNewMember(group);
  return former ? commonRights(rights, former) : rights;
}

/** Forgets the rights of users who are members again: their memberships have them, or others that were granted. */
export async function forgetRights(
  group: UserGroup,
  userIds: readonly number[],
  transaction: Transaction,
): Promise<void> {
  await FormerMember.destroy({ where: { groupId: group.id, userId: [...userIds] }, transaction });
}

const ROWS_PER_STEP = 1_000;

/** A closed account will join no group again. */
export const forgetFormerMemberships: RemovalStep = async (userId, transaction) =>
  (await FormerMember.destroy({ where: { userId }, limit: ROWS_PER_STEP, transaction })) > 0;
