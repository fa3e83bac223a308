import type { PoolConnection } from 'mysql2/promise';
import { partsOf } from '../../platform/parts-of';
import { firstNumber, type WaitingPoint } from '../../points';
import type { PassClock } from '../evaluation/pass-clock';
import { type MemberPoint, packMembers } from '../rules/fleet';
import type { FleetInput } from '../trigger-store/fed-services';
import type { PassSensor } from '../trigger-store/sensor-states';

interface Change {
  version: number;
  members: MemberPoint[];
}

interface Member {
  sensorId: number;
  fleets: readonly FleetInput[];
  points: readonly WaitingPoint[];
}

/** Members between two looks at the clock. */
const MEMBERS_AT_ONCE = 500;

/**
 * Notes for each fleet the latest point of each member among the points of a pass. The row of the fleet is neither read
 * nor locked, so a pass costs the same for one member as for many.
 */
export async function appendFleetChanges(
  connection: PoolConnection,
  pointsOf: ReadonlyMap<number, readonly WaitingPoint[]>,
  sensors: ReadonlyMap<number, PassSensor>,
  passClock: PassClock,
): Promise<void> {
  const changes = new Map<number, Change>();
  for (const [ownerId, members] of membersByOwner(pointsOf, sensors)) {
    for (const part of partsOf(members, MEMBERS_AT_ONCE)) {
      passClock.measure(ownerId, () => {
        for (const member of part) for (const fleet of member.fleets) note(changes, fleet, member);
      });
      if (passClock.isYieldDue) await passClock.yield();
    }
  }
  await Promise.all(
    [...changes].map(([serviceId, { version, members }]) =>
      connection.query('INSERT INTO fleet_changes (service_id, version, changes) VALUES (?)', [
        [serviceId, version, packMembers(members)],
      ]),
    ),
  );
}

function membersByOwner(
  pointsOf: ReadonlyMap<number, readonly WaitingPoint[]>,
  sensors: ReadonlyMap<number, PassSensor>,
): ReadonlyMap<number, Member[]> {
  const owners = new Map<number, Member[]>();
  for (const [sensorId, points] of pointsOf) {
    const fleets = sensors.get(sensorId)?.fleets;
    const ownerId = points[0]?.ownerId;
    if (!fleets || ownerId === undefined) continue;
    const members = owners.get(ownerId);
    const member = { sensorId, fleets, points };
    if (members) members.push(member);
    else owners.set(ownerId, [member]);
  }
  return owners;
}

function note(changes: Map<number, Change>, fleet: FleetInput, { sensorId, points }: Member): void {
  const { serviceId, version } = fleet;
  const change = changes.get(serviceId) ?? { version, members: [] };
  if (change.members.length === 0) changes.set(serviceId, change);
  let [newest] = points;
  let receivedMs = 0;
  for (const point of points) {
    receivedMs = Math.max(receivedMs, point.receivedMs);
    if (!newest || point.dateMs >= newest.dateMs) newest = point;
  }
  if (!newest) return;
  change.members.push({ sensorId, value: firstNumber(fleet, newest.value), dateMs: newest.dateMs, receivedMs });
}
