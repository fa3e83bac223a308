import { Op, type Transaction } from 'sequelize';
import { endGroupAlerts } from '../../access/alert-access';
import type { RemovalStep } from '../../access/removal-step';
import type { EventLog } from '../../events/event-log';
import { GroupSensor } from '../../storage/models/group-sensor.model';
import { GroupUser } from '../../storage/models/group-user.model';
import { UserGroup } from '../../storage/models/user-group.model';
import { runIn } from '../../storage/transaction';
import { keepRights } from './former-members';

/** `actorId` caused it. */
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
  await endGroupAlerts(runIn(group.sequelize, transaction), member);
  await GroupUser.destroy({ where: member, transaction }); // their sensors follow by the foreign key
  if (others === 0) await group.destroy({ transaction });
}

const GROUPS_PER_STEP = 10;

/** Ends join requests as well; some groups at a time. */
export function leaveGroups(events: EventLog): RemovalStep {
  return async (userId, { transaction }) => {
    const find = { where: { userId }, order: ['groupId'], limit: GROUPS_PER_STEP };
    const memberships = await GroupUser.findAll({ ...find, transaction });
    for (const { groupId } of memberships) {
      const group = await UserGroup.findByPk(groupId, { transaction, lock: transaction.LOCK.UPDATE });
      const isStillIn = (await GroupUser.count({ where: { groupId, userId }, transaction })) > 0;
      if (group && isStillIn) await endMembership(events, { group, userId, actorId: userId }, transaction);
    }
    return memberships.length > 0;
  };
}
