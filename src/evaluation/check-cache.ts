import { isDeepStrictEqual } from 'node:util';
import type { PoolConnection } from 'mysql2/promise';
import type { PassEpochs } from '../inbox/partition-layout';
import { readBuffer } from '../storage/state-buffer';
import { runOn } from '../storage/transaction';
import type { PassSensor } from './sensor-cache';
import { loadSensors } from './sensor-states';

/**
 * Compares what a pass knows of its sensors with what is stored, and fails where that differs: then a change has not raised the
 * version of the sensor's partition. For tests, because it reads everything that the memory saves from reading.
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
    // A service that was deleted with its virtual sensor may be remembered: it is not computed, as it is not there.
    const isSame = isDeepStrictEqual(known?.state, state) && serviceIds.every((one) => known?.serviceIds.includes(one));
    if (!isSame) throw new Error(`the memory of sensor ${id} differs from the database`);
  }
}
