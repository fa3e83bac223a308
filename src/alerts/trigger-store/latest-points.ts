import type { Pool } from 'mysql2/promise';
import { bumpEpochs, findPartitions, type RuleEdit, type SensorSelection } from '../../access/rule-edit';
import type { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { runOn } from '../../storage/transaction';
import { flushBuffer, readBuffer } from './state-buffer';

/** Shows the last value and date of the write-behind buffer, where it is newer than the rows. */
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

/** Passes cannot change the rows until the edit ends. */
export async function flushStates(edit: RuleEdit, selection: SensorSelection): Promise<void> {
  await edit.affects(selection);
  const affected = await findPartitions(edit.run, selection);
  if (affected.partitions.length === 0) return;
  await bumpEpochs(edit.run, [affected]);
  await flushBuffer(edit.run, affected);
}
