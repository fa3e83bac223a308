import { Op, type Transaction } from 'sequelize';
import type { EventLog } from '../../events/event-log';
import { GroupSensor } from '../../models/group-sensor.model';
import { GroupUser } from '../../models/group-user.model';
import { UserGroup } from '../../models/user-group.model';
import type { BeforeUserRemoved } from '../accounts/users.service';

/** A user who leaves a group, and the user who caused it. */
export interface Departure {
  /** Locked by this transaction, so that two last members who leave at once do not each take the other for a remaining one. */
  group: UserGroup;
  userId: number;
  actorId: number;
}

/**
 * Removes a user from a group, and their sensors with them. The group is deleted with its last member: nobody would be
 * left to accept the users who wait.
 */
export async function leaveGroup(
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
  await GroupUser.destroy({ where: member, transaction }); // their sensors follow by the foreign key
  if (others === 0) await group.destroy({ transaction });
}

/** A deleted user leaves their groups, and those that they asked to join. */
export function leaveAllGroups(events: EventLog): BeforeUserRemoved {
  return async (userId, transaction) => {
    const memberships = await GroupUser.findAll({ where: { userId }, order: ['groupId'], transaction });
    for (const { groupId } of memberships) {
      const group = await UserGroup.findByPk(groupId, { transaction, lock: transaction.LOCK.UPDATE });
      if (group) await leaveGroup(events, { group, userId, actorId: userId }, transaction);
    }
  };
}
