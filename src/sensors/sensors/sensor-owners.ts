import type { Pool, RowDataPacket } from 'mysql2/promise';
import { type ShownUser, showUsers } from '../../access/shown-users';
import { shownDetails } from '../../edge/shown-details';
import { GroupUser } from '../../storage/models/group-user.model';
import type { Sensor } from '../../storage/models/sensor.model';
import { User } from '../../storage/models/user.model';
import { sharesSql } from '../../storage/sensor-visibility';

/** What a user may know; a hidden detail is undefined, or empty. */
export interface ShownOwner extends Omit<ShownUser, 'id'> {
  id?: number;
}

type Detail = keyof ShownUser;

/** The others are shown in a group only. */
const OF_DIRECT_SHARES: readonly Detail[] = ['id', 'username'];
const ALL: readonly Detail[] = [...OF_DIRECT_SHARES, 'name', 'surname', 'email'];

/**
 * Returns details of other users by sensor id: shown by the way of the share, and in any common group. A fixed number
 * of statements.
 */
export async function findOwners(
  pool: Pool,
  userId: number,
  sensors: readonly Sensor[],
): Promise<Map<number, ShownOwner>> {
  const others = sensors.filter(({ ownerId }) => ownerId !== userId);
  if (others.length === 0) return new Map();
  const owners = await User.findAll({ where: { id: distinct(others.map(({ ownerId }) => ownerId)) } });
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  const inGroups = new Map((await showUsers(userId, owners)).map((owner) => [owner.id, owner]));
  const shown = await shownOfOwners(pool, userId, others);
  return new Map(
    others.flatMap(({ id, ownerId }) => {
      const [owner, inGroup] = [byId.get(ownerId), inGroups.get(ownerId)];
      return owner && inGroup ? [[id, pick(owner, inGroup, shown.get(id) ?? new Set())] as const] : [];
    }),
  );
}

/** Returns details by sensor, of any of the ways in which it is shared with the user. */
async function shownOfOwners(
  pool: Pool,
  userId: number,
  sensors: readonly Sensor[],
): Promise<Map<number, Set<Detail>>> {
  const sensorIds = sensors.map(({ id }) => id);
  const [shares] = await pool.query<RowDataPacket[]>(sharesSql(userId, sensorIds));
  const groupIds = distinct(shares.flatMap((share) => (share.group_id === null ? [] : Number(share.group_id))));
  const ownerIds = distinct(sensors.map(({ ownerId }) => ownerId));
  const memberships = await GroupUser.findAll({ where: { groupId: groupIds, userId: ownerIds } });
  const byGroupAndUser = new Map(memberships.map((one) => [`${one.groupId} ${one.userId}`, one]));
  const ownerOf = new Map(sensors.map(({ id, ownerId }) => [id, ownerId]));
  const shown = new Map<number, Set<Detail>>();
  for (const { sensor_id, group_id } of shares) {
    const membership = byGroupAndUser.get(`${group_id} ${ownerOf.get(Number(sensor_id))}`);
    const inGroup = membership && shownDetails(membership);
    const details = shown.get(Number(sensor_id)) ?? new Set();
    const direct = group_id === null ? OF_DIRECT_SHARES : [];
    for (const detail of ALL) if (direct.includes(detail) || inGroup?.[detail]) details.add(detail);
    shown.set(Number(sensor_id), details);
  }
  return shown;
}

function pick(owner: User, inGroup: ShownUser, shown: ReadonlySet<Detail>): ShownOwner {
  const text = (detail: 'name' | 'surname' | 'email') => (shown.has(detail) ? owner[detail] : inGroup[detail]);
  return {
    id: shown.has('id') ? owner.id : undefined,
    username: shown.has('username') ? owner.username : '',
    name: text('name'),
    surname: text('surname'),
    email: text('email'),
  };
}

function distinct(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}
