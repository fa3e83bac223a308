import type { Pool } from 'mysql2/promise';
import { editRulesOn } from '../../access/rule-edit';
import { type Change, noteChange, SENSOR } from '../../audit';
import type { TimeRange } from '../../edge/time-range';
import { type RunSql, runOn } from '../../storage/transaction';
import { type RemovedPoints, removePoints } from '../point-store/point-removal';

export type HasWindows = (run: RunSql, sensorId: number) => Promise<boolean>;

/**
 * Deletes the oldest points, about `most`, in one transaction. With windows or services it is an edit, so that no
 * worker uses cached points that are deleted.
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
    const points = await removePoints(connection, sensorId, range, most);
    if (points.deleted > 0) noteChange(connection, deletionOf(sensorId, range, points.deleted));
    return [points, hasSome] as const;
  });
  // The sensor may have got its first window before the commit, and a worker may have read the points.
  if (!hadWindows && removed.deleted > 0 && (await mayBeCached(runOn(pool), sensorId, hasWindows))) {
    await editRulesOn(pool, (edit) => edit.affects({ sensorIds: [sensorId] }));
  }
  return removed;
}

/** Call it after points were stored that nothing evaluates: no worker then uses cached windows without them. */
export async function forgetWindows(pool: Pool, sensorId: number, hasWindows: HasWindows): Promise<void> {
  if (!(await mayBeCached(runOn(pool), sensorId, hasWindows))) return;
  await editRulesOn(pool, (edit) => edit.affects({ sensorIds: [sensorId] }));
}

/** The expression of a service may have changed since its points were cached. */
async function mayBeCached(run: RunSql, sensorId: number, hasWindows: HasWindows): Promise<boolean> {
  const services = await run('SELECT 1 FROM service_inputs WHERE sensor_id = ? LIMIT 1', [sensorId]);
  return services.length > 0 || hasWindows(run, sensorId);
}

/** Without any value. */
function deletionOf(sensorId: number, { startMs, endMs }: TimeRange, deleted: number): Change {
  const range = [startMs, endMs].map((ms) => new Date(ms).toJSON() ?? '').join(' – ');
  return {
    ...{ kind: 'sensor', id: sensorId, owner: null, parent: { by: SENSOR, key: sensorId } },
    fields: new Map<string, [unknown, unknown]>([
      ['data_points', [deleted, 0]],
      ['data_points/range', [range, null]],
    ]),
  };
}
