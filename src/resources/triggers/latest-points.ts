import type { Pool } from 'mysql2/promise';
import type { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { bumpEpochs, findPartitions } from '../../storage/partition-epochs';
import { flushBuffer, readBuffer } from '../../storage/state-buffer';
import { type RunSql, runOn } from '../../storage/transaction';

/** Sets the last value and date of sensor triggers as they are in the journal, where that is newer than their rows. */
export async function showLatestPoints(pool: Pool, sensorTriggers: readonly SensorTrigger[]): Promise<void> {
  if (sensorTriggers.length === 0) return;
  const run = runOn(pool);
  const sensorIds = sensorTriggers.map(({ sensorId }) => sensorId);
  const latest = await readBuffer(run, await findPartitions(run, { sensorIds }));
  for (const sensorTrigger of sensorTriggers) {
    const point = latest.get(sensorTrigger.id);
    if (point && point.dateMs > (sensorTrigger.lastDateMs ?? -1))
      sensorTrigger.set({ lastDateMs: point.dateMs, lastValue: point.value });
  }
}

/** Brings the rows of the sensor triggers of sensors up to date, and keeps passes from changing them until the end of the transaction. */
export async function flushStates(run: RunSql, sensorIds: readonly number[]): Promise<void> {
  const affected = await findPartitions(run, { sensorIds });
  await bumpEpochs(run, affected);
  await flushBuffer(run, affected);
}
