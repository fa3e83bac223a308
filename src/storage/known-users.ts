import { Op } from 'sequelize';
import { shownDetails } from '../edge/shown-details';
import { GroupUser } from './models/group-user.model';
import type { RunSql } from './transaction';

/** Users whose usernames the viewer sees anyway: in a group, or through a share, even a refused one. */
export async function findKnownNames(
  run: RunSql,
  viewerId: number,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (userIds.length === 0) return new Set();
  const shares = await run(
    `SELECT u.id FROM users u WHERE u.id IN (?) AND (
       EXISTS (SELECT 1 FROM sensor_users x JOIN sensors s ON s.id = x.sensor_id WHERE x.user_id = u.id AND s.owner_id = ?)
       OR EXISTS (SELECT 1 FROM sensor_users x JOIN sensors s ON s.id = x.sensor_id WHERE x.user_id = ? AND s.owner_id = u.id)
       OR EXISTS (SELECT 1 FROM refused_shares x WHERE x.user_id = ? AND x.owner_id = u.id))`,
    [userIds, viewerId, viewerId, viewerId],
  );
  const ways = [{ listUsers: true }, { listSensors: true }];
  const own = await GroupUser.findAll({
    attributes: ['groupId'],
    where: { userId: viewerId, accepted: true, [Op.or]: ways },
  });
  const where = { groupId: own.map(({ groupId }) => groupId), userId: [...userIds], accepted: true };
  const members = own.length === 0 ? [] : await GroupUser.findAll({ where });
  const inGroups = members.filter((member) => shownDetails(member).username).map(({ userId }) => userId);
  return new Set([...shares.map(({ id }) => Number(id)), ...inGroups]);
}
