import { Op, type Transaction } from 'sequelize';
import type { EventLog } from '../../events/event-log';
import { GroupSensor } from '../../models/group-sensor.model';
import { GroupUser } from '../../models/group-user.model';
import { UserGroup } from '../../models/user-group.model';
import type { BeforeUserRemoved } from '../accounts/users.service';

/** Who goes out of which group, and who did it. */
export interface Departure {
  /** Locked by this transaction, so that the last two members cannot both take the other for the last. */
  group: UserGroup;
  userId: number;
  actorId: number;
}

/**
 * Takes a user out of a group, and his sensors with him. The group goes with its last accepted member: nobody would
 * be left to accept those who wait.
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
  await GroupUser.destroy({ where: member, transaction }); // his sensors follow by the foreign key
  if (others === 0) await group.destroy({ transaction });
}

/** A removed user leaves his groups, those that he waits for too. */
export function leaveAllGroups(events: EventLog): BeforeUserRemoved {
  return async (userId, transaction) => {
    const memberships = await GroupUser.findAll({ where: { userId }, order: ['groupId'], transaction });
    for (const { groupId } of memberships) {
      const group = await UserGroup.findByPk(groupId, { transaction, lock: transaction.LOCK.UPDATE });
      if (group) await leaveGroup(events, { group, userId, actorId: userId }, transaction);
    }
  };
}
