import { shownDetails } from '../domain/shown-details';
import { GroupSensor } from '../models/group-sensor.model';
import { GroupUser } from '../models/group-user.model';
import type { Sensor } from '../models/sensor.model';
import { SensorUser } from '../models/sensor-user.model';
import { User } from '../models/user.model';
import { UserGroup } from '../models/user-group.model';

/** What a user may know of the owner of a sensor; a detail that he does not show is left out. */
export interface ShownOwner {
  id?: number;
  username?: string;
  name?: string;
  surname?: string;
  email?: string;
}

type Detail = keyof ShownOwner;

const ALL: ReadonlySet<Detail> = new Set<Detail>(['id', 'username', 'name', 'surname', 'email']);

/**
 * The owners of the sensors that are not the user's own, by the ids of the sensors: a fixed number of queries. Who
 * shared a sensor with the user himself is known to him; who shared it into a group shows there only what he and the
 * group let him show.
 */
export async function loadOwners(userId: number, sensors: readonly Sensor[]): Promise<Map<number, ShownOwner>> {
  const others = sensors.filter(({ ownerId }) => ownerId !== userId);
  if (others.length === 0) return new Map();
  const sensorIds = others.map(({ id }) => id);
  const owners = await User.findAll({ where: { id: [...new Set(others.map(({ ownerId }) => ownerId))] } });
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  const direct = await SensorUser.findAll({ where: { userId, sensorId: sensorIds } });
  const isDirect = new Set(direct.map(({ sensorId }) => sensorId));
  const inGroups = await shownInGroups(
    userId,
    sensorIds.filter((id) => !isDirect.has(id)),
  );
  return new Map(
    others.flatMap(({ id, ownerId }) => {
      const owner = byId.get(ownerId);
      const shown = isDirect.has(id) ? ALL : (inGroups.get(id) ?? new Set());
      return owner ? [[id, pick(owner, shown)] as const] : [];
    }),
  );
}

/** For each sensor, what its owner shows in any of the groups through which the user sees it. */
async function shownInGroups(userId: number, sensorIds: readonly number[]): Promise<Map<number, Set<Detail>>> {
  const shown = new Map<number, Set<Detail>>();
  if (sensorIds.length === 0) return shown;
  const shares = await GroupSensor.findAll({ where: { sensorId: [...sensorIds] } });
  const mine = await GroupUser.findAll({
    where: { userId, groupId: distinct(shares.map(({ groupId }) => groupId)), accepted: true, listSensors: true },
  });
  const groupIds = mine.map(({ groupId }) => groupId);
  const groups = new Map((await UserGroup.findAll({ where: { id: groupIds } })).map((group) => [group.id, group]));
  const sharers = distinct(shares.map((share) => share.userId));
  const memberships = await GroupUser.findAll({ where: { groupId: groupIds, userId: sharers } });
  const byPlace = new Map(memberships.map((one) => [`${one.groupId} ${one.userId}`, one]));
  for (const share of shares) {
    const group = groups.get(share.groupId);
    const membership = byPlace.get(`${share.groupId} ${share.userId}`);
    if (!group || !membership) continue;
    const here = shownDetails(group, membership);
    const details = shown.get(share.sensorId) ?? new Set();
    for (const detail of ALL) if (here[detail]) details.add(detail);
    shown.set(share.sensorId, details);
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
