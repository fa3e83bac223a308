import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { deleteDeliveries, deleteKept } from '../notifications';
import type { Clock } from '../platform/clock';
import type { PurgeStep, PurgeTask } from './purge-task';

const DELIVERIES_PER_STEP = 500;
const ROWS_PER_STEP = 1_000;
const DAY_MS = 86_400_000;

/** Counted from their end. Pending deliveries are never deleted. */
export function oldDeliveriesTask(pool: Pool, clock: Clock, retentionDays: number): PurgeTask {
  return {
    name: 'old-deliveries',
    step: (position) => oldDeliveries(pool, position, clock.now() - retentionDays * DAY_MS),
  };
}

/** Once none of their ends waits to be sent. */
export function deletedNotificationsTask(pool: Pool): PurgeTask {
  return {
    name: 'deleted-notifications',
    isIdle: async () => {
      const [some] = await pool.query<RowDataPacket[]>('SELECT id FROM deleted_notifications LIMIT 1');
      return some.length === 0;
    },
    step: async () => {
      const deleted = await deleteKept(pool, ROWS_PER_STEP);
      return { deleted, position: 0, isDone: deleted < ROWS_PER_STEP };
    },
  };
}

/** Older than `retentionDays`. */
export function oldHistoryTasks(pool: Pool, clock: Clock, retentionDays: number): PurgeTask[] {
  const beforeMs = () => clock.now() - retentionDays * DAY_MS;
  return [
    { name: 'old-firings', step: (position) => oldFirings(pool, position, beforeMs()) },
    {
      name: 'old-outages',
      isIdle: async () => !(await hasRow(pool, 'outages WHERE to_ms < ?', beforeMs())),
      step: () => oldOutages(pool, beforeMs()),
    },
    {
      name: 'old-events',
      isIdle: async () => !(await hasRow(pool, 'events WHERE retry_at_ms IS NOT NULL AND created_ms < ?', beforeMs())),
      step: () => oldEvents(pool, beforeMs()),
    },
  ];
}

/**
 * By id, nearly the order of age: the first page without an old delivery ends the run. A later run finds skipped
 * pending ones.
 */
async function oldDeliveries(pool: Pool, position: number, beforeMs: number): Promise<PurgeStep> {
  const [page] = await pool.query<RowDataPacket[]>(
    `SELECT id, status, created_ms < ? AS isOld, COALESCE(finished_ms, created_ms) < ? AS hasEndedLongAgo FROM deliveries
     WHERE id > ? ORDER BY id LIMIT ?`,
    [beforeMs, beforeMs, position, DELIVERIES_PER_STEP],
  );
  const ended = page.filter(({ status, hasEndedLongAgo }) => status !== 'pending' && hasEndedLongAgo);
  const ids = ended.map(({ id }) => Number(id));
  const { deleted, isComplete } = await deleteDeliveries(pool, ids);
  if (!isComplete) return { deleted, position, isDone: false };
  return { deleted, ...nextPage(page, DELIVERIES_PER_STEP) };
}

/**
 * As `oldDeliveries`. The first firing of an episode holds its state: kept while the episode lasts, or another of its
 * firings may exist.
 */
async function oldFirings(pool: Pool, position: number, beforeMs: number): Promise<PurgeStep> {
  const [page] = await pool.query<RowDataPacket[]>(
    `SELECT id, fired_ms < ? AS isOld, is_lasting = FALSE AND COALESCE(ended_ms, fired_ms) < ? AS isOver
     FROM firings WHERE id > ? ORDER BY id LIMIT ?`,
    [beforeMs, beforeMs, position, ROWS_PER_STEP],
  );
  const ids = page.filter(({ isOld, isOver }) => isOld && isOver).map(({ id }) => Number(id));
  const deleted = ids.length === 0 ? 0 : await run(pool, 'DELETE FROM firings WHERE id IN (?)', [ids]);
  return { deleted, ...nextPage(page, ROWS_PER_STEP) };
}

/** 0 if the following rows are too young. */
function nextPage(page: readonly RowDataPacket[], size: number): Pick<PurgeStep, 'position' | 'isDone'> {
  const isDone = page.length < size || !page.some(({ isOld }) => isOld);
  return { position: isDone ? 0 : Number(page.at(-1)?.id ?? 0), isDone };
}

/** An outage stays while an inactivity runs that began before its end. */
async function oldOutages(pool: Pool, beforeMs: number): Promise<PurgeStep> {
  const [[earliest]] = await pool.query<RowDataPacket[]>(
    'SELECT MIN(inactive_since_ms) AS sinceMs FROM sensor_triggers WHERE due_at_ms IS NOT NULL',
  );
  const untilMs = Math.min(beforeMs, earliest?.sinceMs ?? beforeMs);
  const deleted = await run(pool, 'DELETE FROM outages WHERE to_ms < ? LIMIT ?', [untilMs, ROWS_PER_STEP]);
  return { deleted, position: 0, isDone: deleted < ROWS_PER_STEP };
}

/** Events that could not be dispatched. All others are deleted at their dispatch. */
async function oldEvents(pool: Pool, beforeMs: number): Promise<PurgeStep> {
  const deleted = await run(pool, 'DELETE FROM events WHERE retry_at_ms IS NOT NULL AND created_ms < ? LIMIT ?', [
    beforeMs,
    ROWS_PER_STEP,
  ]);
  return { deleted, position: 0, isDone: deleted < ROWS_PER_STEP };
}

async function hasRow(pool: Pool, what: string, beforeMs: number): Promise<boolean> {
  const [rows] = await pool.query<RowDataPacket[]>(`SELECT 1 FROM ${what} LIMIT 1`, [beforeMs]);
  return rows.length > 0;
}

async function run(pool: Pool, sql: string, values: unknown[]): Promise<number> {
  const [result] = await pool.query<ResultSetHeader>(sql, values);
  return result.affectedRows;
}
