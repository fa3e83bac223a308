import { isDeepStrictEqual } from 'node:util';
import type { PoolConnection } from 'mysql2/promise';
import type { TurnSensor } from './sensor-memory';
import { loadSensors } from './sensor-states';

/**
 * Compares what a turn knows of its sensors with what is stored, and fails where that differs: then a change has not raised the
 * version of the sensor's partition. For tests, because it reads everything that the memory saves from reading.
 */
export async function checkMemory(connection: PoolConnection, sensors: ReadonlyMap<number, TurnSensor>): Promise<void> {
  for (const [id, { state, serviceIds }] of await loadSensors(connection, [...sensors.keys()])) {
    const known = sensors.get(id);
    // A service that was deleted with its virtual sensor may be remembered: it is not computed, as it is not there.
    const isSame = isDeepStrictEqual(known?.state, state) && serviceIds.every((one) => known?.serviceIds.includes(one));
    if (!isSame) throw new Error(`the memory of sensor ${id} differs from the database`);
  }
}
