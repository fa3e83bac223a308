import type { ShownUser } from '../../access/shown-users';
import { findSensorStates, type StateNow } from '../../alerts';
import type { PageOf } from '../../edge/paging';
import type { Database } from '../../storage';
import type { Sensor } from '../../storage/models/sensor.model';
import { findSensorDetails, type SensorDetails } from './sensor-details';
import { findOwners, type ShownOwner } from './sensor-owners';

export interface ListedSensor {
  sensor: Sensor;
  /** If it is another user. */
  owner?: ShownOwner;
  /** Users of the share, if requested. */
  users?: ShownUser[];
  /** If requested. */
  details?: SensorDetails;
  /** The state for the user, if requested. */
  now?: StateNow;
}

export type ListDetails = 'full' | 'no' | undefined;

/** Adds owners and states, and what `ListDetails` says. A fixed number of statements. */
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
