import { isDeepStrictEqual } from 'node:util';
import type { PoolConnection } from 'mysql2/promise';
import type { PassEpochs } from '../inbox/partition-layout';
import { runOn } from '../storage/transaction';
import type { PassSensor } from './sensor-cache';
import { loadSensors } from './sensor-states';
import { readBuffer } from './state-buffer';

/**
 * Compares the cached sensors of a pass with MySQL, and throws on a difference: some change has not bumped the epoch of
 * the sensor's partition. For tests, because it reads everything that the cache saves from reading.
 */
export async function checkCache(
  connection: PoolConnection,
  sensors: ReadonlyMap<number, PassSensor>,
  { versions, partitionCount }: PassEpochs,
): Promise<void> {
  const buffer = await readBuffer(runOn(connection), { partitions: [...versions.keys()], partitionCount });
  for (const [id, { state, serviceIds }] of await loadSensors(connection, [...sensors.keys()])) {
    const known = sensors.get(id);
    for (const trigger of state?.triggers ?? []) {
      const latest = buffer.get(trigger.sensorTriggerId);
      if (latest && latest.dateMs > (trigger.state.lastDateMs ?? -1))
        trigger.state = { ...trigger.state, lastDateMs: latest.dateMs, lastValue: latest.value };
    }
    // The cache may still hold a service that was deleted with its virtual sensor. It is not computed, because it no
    // longer exists.
    const isSame = isDeepStrictEqual(known?.state, state) && serviceIds.every((one) => known?.serviceIds.includes(one));
    if (!isSame) throw new Error(`the memory of sensor ${id} differs from the database`);
  }
}
