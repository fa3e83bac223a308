import type { Transaction } from 'sequelize';
import { commonRights, type GroupRights, pickRights, rightsOfNewMember } from '../../access/group-rights';
import type { RemovalStep } from '../../access/removal-step';
import { FormerMember } from '../../storage/models/former-member.model';
import type { GroupUser } from '../../storage/models/group-user.model';
import type { UserGroup } from '../../storage/models/user-group.model';

// A user has a row from leaving a group until they are a member again. All of this runs in transactions that have
// locked the group.

/** A user who only asked to join has no rights: the stored ones do not change. */
export async function keepRights(membership: GroupUser, transaction: Transaction): Promise<void> {
  const { groupId, userId, accepted } = membership;
  if (accepted) await FormerMember.upsert({ groupId, userId, ...pickRights(membership) }, { transaction });
}

/** Rights of new members; a former member gets only those that they also had when they left. */
export async function rightsOnJoining(
  group: UserGroup,
  userId: number,
  transaction: Transaction,
): Promise<GroupRights> {
  const former = await FormerMember.findOne({ where: { groupId: group.id, userId }, transaction });
  const rights = rightsOfNewMember(group);
  return former ? commonRights(rights, former) : rights;
}

/** Members have current rights. */
export async function forgetRights(
  group: UserGroup,
  userIds: readonly number[],
  transaction: Transaction,
): Promise<void> {
  await FormerMember.destroy({ where: { groupId: group.id, userId: [...userIds] }, transaction });
}

const ROWS_PER_STEP = 1_000;

export const forgetFormerMemberships: RemovalStep = async (userId, { transaction }) =>
  (await FormerMember.destroy({ where: { userId }, limit: ROWS_PER_STEP, transaction })) > 0;
