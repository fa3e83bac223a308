import type { Pool } from 'mysql2/promise';
import { editRulesOn } from '../../access/rule-edit';
import type { TimeRange } from '../../edge/time-range';
import { type RunSql, runOn } from '../../storage/transaction';
import { type RemovedPoints, removePoints } from '../point-store/point-removal';

/** True if triggers of the sensor have windows. */
export type HasWindows = (run: RunSql, sensorId: number) => Promise<boolean>;

/**
 * Deletes points of a range of a sensor, the oldest first and about `most` at most, in one transaction. If triggers of
 * the sensor have windows, or the sensor feeds a service, the deletion is an edit, so that no worker uses cached points
 * that are deleted.
 */
export async function deletePoints(
  pool: Pool,
  sensorId: number,
  { range, most, hasWindows }: { range: TimeRange; most: number; hasWindows: HasWindows },
): Promise<RemovedPoints> {
  const [removed, hadWindows] = await editRulesOn(pool, async (edit) => {
    const { connection } = edit;
    const hasSome = await mayBeCached(runOn(connection), sensorId, hasWindows);
    if (hasSome) await edit.affects({ sensorIds: [sensorId] });
    return [await removePoints(connection, sensorId, range, most), hasSome] as const;
  });
  // The sensor may have got its first window before the commit, and a worker may have read the points.
  if (!hadWindows && removed.deleted > 0 && (await mayBeCached(runOn(pool), sensorId, hasWindows))) {
    await editRulesOn(pool, (edit) => edit.affects({ sensorIds: [sensorId] }));
  }
  return removed;
}

/** True if windows may hold points of the sensor. The expression of a service may have changed since they were cached. */
async function mayBeCached(run: RunSql, sensorId: number, hasWindows: HasWindows): Promise<boolean> {
  const services = await run('SELECT 1 FROM service_inputs WHERE sensor_id = ? LIMIT 1', [sensorId]);
  return services.length > 0 || hasWindows(run, sensorId);
}
