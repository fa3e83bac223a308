import type { Pool, RowDataPacket } from 'mysql2/promise';
import { partitionsOf } from '../storage/due-buckets';

/** Work of passes, event dispatch, training, exports, imports and fleets. */
export interface WaitingWork {
  /** Partitions with points, or with sensors on which the clock may have to decide. */
  partitions: Set<number>;
  hasEvents: boolean;
  /** Services with training jobs that are not postponed. */
  services: Set<number>;
  /** Exports and imports that are not postponed. */
  archives: Set<number>;
  /** Also while only changes of deleted fleets are left. */
  hasFleets: boolean;
}

/**
 * `kind`, `id` and an instant. Each part reads one index, because it runs twice a second. Includes the partition count,
 * because this process's may be stale.
 */
const WAITING_SQL = `SELECT DISTINCT 'inbox' AS kind, partition_no AS id, 0 AS atMs FROM inbox_batches
  UNION SELECT 'due' AS kind, due_bucket AS id, MIN(due_at_ms) AS atMs FROM sensor_triggers WHERE due_at_ms <= ? GROUP BY due_bucket
  UNION SELECT 'due' AS kind, due_bucket AS id, MIN(condition_due_ms) AS atMs FROM sensor_triggers
    WHERE condition_due_ms <= ? GROUP BY due_bucket
  UNION SELECT 'due' AS kind, st.due_bucket AS id, MIN(w.due_ms) AS atMs
    FROM shadow_states w JOIN sensor_triggers st ON st.id = w.id AND st.active WHERE w.due_ms <= ? GROUP BY st.due_bucket
  UNION SELECT 'layout' AS kind, partition_count AS id, 0 AS atMs FROM partitions WHERE partition_no = 0
  UNION SELECT 'heartbeat' AS kind, 0 AS id, accepting_until_ms AS atMs FROM heartbeats
  UNION SELECT 'event' AS kind, 0 AS id, 0 AS atMs FROM
    (SELECT id FROM events WHERE retry_at_ms IS NULL OR retry_at_ms <= ? LIMIT 1) waiting_events
  UNION SELECT 'training' AS kind, service_id AS id, COALESCE(try_again_ms, 0) AS atMs
    FROM training_jobs WHERE status = 'pending'
  UNION SELECT 'archive' AS kind, id, try_again_ms AS atMs FROM archives WHERE active = 1
  UNION SELECT 'fleets' AS kind, 0 AS id, 0 AS atMs FROM (SELECT service_id FROM fleets LIMIT 1) some_fleet
  UNION SELECT 'fleets' AS kind, 0 AS id, 0 AS atMs FROM (SELECT id FROM fleet_changes LIMIT 1) some_change`;

/** One statement. While no process accepts uploads, nothing is due: no sensor is inactive. */
export async function readWaiting(pool: Pool, nowMs: number): Promise<WaitingWork> {
  const [rows] = await pool.query<RowDataPacket[]>(WAITING_SQL, [nowMs, nowMs, nowMs, nowMs]);
  const byKind = (wanted: string) =>
    rows.filter(({ kind }) => kind === wanted).map(({ id, atMs }) => ({ id: Number(id), atMs: Number(atMs) }));
  const ids = (some: readonly { id: number }[]) => some.map(({ id }) => id);
  const [heartbeat] = byKind('heartbeat');
  const dueBuckets = ids(byKind('due').filter(({ atMs }) => atMs <= (heartbeat?.atMs ?? 0)));
  const [layout] = byKind('layout');
  const training = byKind('training');
  const services = new Set(ids(training));
  for (const { id, atMs } of training) if (atMs > nowMs) services.delete(id);
  return {
    partitions: new Set([...ids(byKind('inbox')), ...partitionsOf(dueBuckets, layout?.id ?? 0)]),
    hasEvents: byKind('event').length > 0,
    services,
    archives: new Set(ids(byKind('archive').filter(({ atMs }) => atMs <= nowMs))),
    hasFleets: byKind('fleets').length > 0,
  };
}
