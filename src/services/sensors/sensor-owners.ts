import type { Pool, RowDataPacket } from 'mysql2/promise';
import { sharesSql } from '../../database/sensor-visibility';
import { shownDetails } from '../../domain/shown-details';
import { GroupUser } from '../../models/group-user.model';
import type { Sensor } from '../../models/sensor.model';
import { User } from '../../models/user.model';
import { UserGroup } from '../../models/user-group.model';

/** What a user may know of the owner of a sensor; a detail that the owner does not show is left out. */
export interface ShownOwner {
  id?: number;
  username?: string;
  name?: string;
  surname?: string;
  email?: string;
}

type Detail = keyof ShownOwner;

const ALL: readonly Detail[] = ['id', 'username', 'name', 'surname', 'email'];

/**
 * The owners of the sensors that are not the user's own, by the ids of the sensors, by a fixed number of statements. An
 * owner who shared the sensor with the user directly shows everything; one who shared it into a group shows what their
 * display settings and the group allow.
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
  const shown = await shownOfOwners(pool, userId, others);
  return new Map(
    others.flatMap(({ id, ownerId }) => {
      const owner = byId.get(ownerId);
      return owner ? [[id, pick(owner, shown.get(id) ?? new Set())] as const] : [];
    }),
  );
}

/** For each sensor, what its owner shows in any of the ways in which it is shared with the user. */
async function shownOfOwners(
  pool: Pool,
  userId: number,
  sensors: readonly Sensor[],
): Promise<Map<number, Set<Detail>>> {
  const sensorIds = sensors.map(({ id }) => id);
  const [shares] = await pool.query<RowDataPacket[]>(sharesSql(userId, sensorIds));
  const groupIds = distinct(shares.flatMap((share) => (share.group_id === null ? [] : Number(share.group_id))));
  const ownerIds = distinct(sensors.map(({ ownerId }) => ownerId));
  const groups = new Map((await UserGroup.findAll({ where: { id: groupIds } })).map((group) => [group.id, group]));
  const memberships = await GroupUser.findAll({ where: { groupId: groupIds, userId: ownerIds } });
  const byGroupAndUser = new Map(memberships.map((one) => [`${one.groupId} ${one.userId}`, one]));
  const ownerOf = new Map(sensors.map(({ id, ownerId }) => [id, ownerId]));
  const shown = new Map<number, Set<Detail>>();
  for (const { sensor_id, group_id } of shares) {
    const group = groups.get(Number(group_id));
    const membership = byGroupAndUser.get(`${group_id} ${ownerOf.get(Number(sensor_id))}`);
    const inGroup = group && membership && shownDetails(group, membership);
    const details = shown.get(Number(sensor_id)) ?? new Set();
    for (const detail of ALL) if (group_id === null || inGroup?.[detail]) details.add(detail);
    shown.set(Number(sensor_id), details);
  }
  return shown;
}

function pick(owner: User, shown: ReadonlySet<string>): ShownOwner {
  const { id, username, name, surname, email } = owner;
  const details = Object.entries({ id, username, name, surname, email });
  return Object.fromEntries(details.filter(([detail]) => shown.has(detail)));
}

function distinct(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}
