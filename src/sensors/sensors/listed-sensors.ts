import type { ShownUser } from '../../access/shown-users';
import { findSensorStates, type StateNow } from '../../alerts';
import type { PageOf } from '../../edge/paging';
import type { Database } from '../../storage';
import type { Sensor } from '../../storage/models/sensor.model';
import { findSensorDetails, type SensorDetails } from './sensor-details';
import { findOwners, type ShownOwner } from './sensor-owners';

/** A sensor in a list, with the requested details. */
export interface ListedSensor {
  sensor: Sensor;
  /** The owner, if it is another user. */
  owner?: ShownOwner;
  /** The users with whom the sensor is shared, if requested. */
  users?: ShownUser[];
  /** The device and the environment, if requested. */
  details?: SensorDetails;
  /** Its state for the user, if requested. */
  now?: StateNow;
}

/** Which fields a list of sensors has: also device and environment, or only ids. */
export type ListDetails = 'full' | 'no' | undefined;

/**
 * The sensors of a page as every list shows them: with their owners and states, `full` with device and environment, and
 * `no` with nothing. A fixed number of statements.
 */
export async function describePage(
  { pool, reads }: Database,
  { userId, nowMs }: { userId: number; nowMs: number },
  { items, total }: PageOf<Sensor>,
  details: ListDetails,
): Promise<PageOf<ListedSensor>> {
  if (details === 'no') return { items: items.map((sensor) => ({ sensor })), total };
  const ids = items.map(({ id }) => id);
  const [owners, states, surroundings] = await Promise.all([
    findOwners(pool, userId, items),
    findSensorStates(reads, userId, ids, nowMs),
    details === 'full' ? findSensorDetails(userId, items) : undefined,
  ]);
  const described = items.map((sensor) => ({
    sensor,
    owner: owners.get(sensor.id),
    details: surroundings?.get(sensor.id),
    now: states.get(sensor.id),
  }));
  return { items: described, total };
}
