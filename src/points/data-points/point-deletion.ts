import type { Pool } from 'mysql2/promise';
import { editRulesOn } from '../../access/rule-edit';
import type { TimeRange } from '../../edge/time-range';
import { longestWindow } from '../../language/windows/written-windows';
import { type RunSql, runOn } from '../../storage/transaction';
import { type RemovedPoints, removePoints } from '../point-store/point-removal';

/**
 * Deletes points of a range of a sensor, the oldest first and about `most` at most, in one transaction. If triggers of the sensor have windows, or the
 * sensor feeds a service, the deletion is an edit, so that no worker uses cached points that are deleted.
 */
export async function deletePoints(
  pool: Pool,
  sensorId: number,
  range: TimeRange,
  most: number,
): Promise<RemovedPoints> {
  const [removed, hadWindows] = await editRulesOn(pool, async (edit) => {
    const { connection } = edit;
    const hasSome = await mayBeCached(runOn(connection), sensorId);
    if (hasSome) await edit.affects({ sensorIds: [sensorId] });
    return [await removePoints(connection, sensorId, range, most), hasSome] as const;
  });
  // The sensor may have got its first window before the commit, and a worker may have read the points.
  if (!hadWindows && removed.deleted > 0 && (await mayBeCached(runOn(pool), sensorId))) {
    await editRulesOn(pool, (edit) => edit.affects({ sensorIds: [sensorId] }));
  }
  return removed;
}

/** True if windows may hold points of the sensor. The expression of a service may have changed since they were cached. */
async function mayBeCached(run: RunSql, sensorId: number): Promise<boolean> {
  const services = await run('SELECT 1 FROM service_inputs WHERE sensor_id = ? LIMIT 1', [sensorId]);
  if (services.length > 0) return true;
  const triggers = await run(
    `SELECT t.expression, t.resolve_expression AS resolveExpression
     FROM sensor_triggers st JOIN triggers t ON t.id = st.trigger_id WHERE st.sensor_id = ?`,
    [sensorId],
  );
  return triggers.some(
    ({ expression, resolveExpression }) =>
      longestWindow({ expression: textOf(expression), resolveExpression: textOf(resolveExpression) }) > 0,
  );
}

function textOf(column: unknown): string | null {
  return typeof column === 'string' ? column : null;
}
