import type { Pool } from 'mysql2/promise';
import type { ShownUser } from '../../access/shown-users';
import type { PageOf } from '../../rules/paging';
import type { Sensor } from '../../storage/models/sensor.model';
import type { StateNow } from '../../storage/sensor-states';
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

/** The sensors of a page; `withDetails` adds owner, device and environment, with a fixed number of statements. */
export async function describePage(
  pool: Pool,
  userId: number,
  { items, total }: PageOf<Sensor>,
  withDetails: boolean,
): Promise<PageOf<ListedSensor>> {
  if (!withDetails) return { items: items.map((sensor) => ({ sensor })), total };
  const owners = await findOwners(pool, userId, items);
  const details = await findSensorDetails(userId, items);
  const described = items.map((sensor) => ({
    sensor,
    owner: owners.get(sensor.id),
    details: details.get(sensor.id),
  }));
  return { items: described, total };
}
