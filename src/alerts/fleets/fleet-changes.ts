import type { PoolConnection } from 'mysql2/promise';
import { memberNumber, type WaitingPoint } from '../../points';
import type { PassClock } from '../evaluation/pass-clock';
import { type MemberPoint, packMembers } from '../rules/fleet';
import type { FleetInput } from '../trigger-store/fed-services';
import type { PassSensor } from '../trigger-store/sensor-states';

interface Change {
  version: number;
  members: MemberPoint[];
}

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
  for (const [sensorId, points] of pointsOf) {
    const fleets = sensors.get(sensorId)?.fleets;
    const ownerId = points[0]?.ownerId;
    if (!fleets || ownerId === undefined) continue;
    passClock.measure(ownerId, () => {
      for (const fleet of fleets) note(changes, fleet, points);
    });
    if (passClock.isYieldDue) await passClock.yield();
  }
  await Promise.all(
    [...changes].map(([serviceId, { version, members }]) =>
      connection.query('INSERT INTO fleet_changes (service_id, version, changes) VALUES (?)', [
        [serviceId, version, packMembers(members)],
      ]),
    ),
  );
}

function note(
  changes: Map<number, Change>,
  { serviceId, version, input }: FleetInput,
  points: readonly WaitingPoint[],
): void {
  const change = changes.get(serviceId) ?? { version, members: [] };
  changes.set(serviceId, change);
  let [newest] = points;
  let receivedMs = 0;
  for (const point of points) {
    receivedMs = Math.max(receivedMs, point.receivedMs);
    if (!newest || point.dateMs >= newest.dateMs) newest = point;
  }
  if (!newest) return;
  const { value, dateMs } = newest;
  change.members.push({ sensorId: input.sensorId, value: memberNumber(input, value), dateMs, receivedMs });
}
