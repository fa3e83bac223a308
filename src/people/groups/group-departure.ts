import { Op, type Transaction } from 'sequelize';
import { endGroupAlerts } from '../../access/alert-access';
import type { RemovalStep } from '../../access/removal-step';
import { actAsClosedAccount, noteModelChange } from '../../audit';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { GroupSensor } from '../../storage/models/group-sensor.model';
import { GroupUser } from '../../storage/models/group-user.model';
import { UserGroup } from '../../storage/models/user-group.model';
import { runIn } from '../../storage/transaction';
import { keepRights } from './former-members';

export interface Departure {
  group: UserGroup;
  userId: number;
  actorId: number;
}

/** Keeps the rights in case the user joins again. */
export async function leaveGroup(events: EventLog, departure: Departure, transaction: Transaction): Promise<void> {
  const where = { groupId: departure.group.id, userId: departure.userId };
  const membership = await GroupUser.findOne({ where, transaction });
  if (membership) await keepRights(membership, transaction);
  await endMembership(events, departure, transaction);
}

/**
 * Removes the sensors as well. The group is deleted with its last member, because waiting users could no longer be
 * accepted.
 */
async function endMembership(
  events: EventLog,
  { group, userId, actorId }: Departure,
  transaction: Transaction,
): Promise<void> {
  const place = { sourceId: group.id, userId: actorId };
  const member = { groupId: group.id, userId };
  const sensors = await GroupSensor.findAll({ where: member, order: ['sensorId'], transaction });
  const others = await GroupUser.count({
    where: { groupId: group.id, accepted: true, userId: { [Op.ne]: userId } },
    transaction,
  });
  await events.raise(transaction, [
    ...sensors.map(({ sensorId }) => ({ name: 'remove_group_sensor' as const, subjectId: sensorId, ...place })),
    { name: 'remove_group_user', subjectId: userId, ...place },
    ...(others === 0 ? [{ name: 'delete_group' as const, subjectId: group.id, ...place }] : []),
  ]);
  await endAlerts(group, userId, transaction);
  await GroupSensor.destroy({ where: member, transaction });
  await GroupUser.destroy({ where: member, transaction });
  if (others === 0) await group.destroy({ transaction });
}

async function endAlerts(
  { id: groupId, sequelize }: UserGroup,
  userId: number,
  transaction: Transaction,
): Promise<void> {
  for (const { id, name } of await endGroupAlerts(runIn(sequelize, transaction), { groupId, userId })) {
    const fields = new Map([['group_id', [String(groupId), null] as const]]);
    noteModelChange(UserGroup, { transaction }, { kind: 'trigger', id, name, owner: userId, fields });
  }
}

/** For sensors that are deleted. */
export async function leaveGroupsOfSensors(sensorIds: readonly number[], transaction: Transaction): Promise<void> {
  await GroupSensor.destroy({ where: { sensorId: [...sensorIds] }, transaction });
}

const GROUPS_PER_STEP = 10;

/** Ends join requests as well; some groups at a time. */
export function leaveGroups(events: EventLog, clock: Clock): RemovalStep {
  return async (userId, { transaction }) => {
    const find = { where: { userId }, order: ['groupId'], limit: GROUPS_PER_STEP };
    const memberships = await GroupUser.findAll({ ...find, transaction });
    for (const { groupId } of memberships) {
      const group = await UserGroup.findByPk(groupId, { transaction, lock: transaction.LOCK.UPDATE });
      const isStillIn = (await GroupUser.count({ where: { groupId, userId }, transaction })) > 0;
      const leave = (left: UserGroup) => endMembership(events, { group: left, userId, actorId: userId }, transaction);
      if (group && isStillIn) await actAsClosedAccount(userId, clock.now(), () => leave(group));
    }
    return memberships.length > 0;
  };
}
