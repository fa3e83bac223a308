import type { PoolConnection } from 'mysql2/promise';
import { issueSlices } from '../../storage/slices';
import type { RunSql } from '../../storage/transaction';
import type { LateArrivals } from '../rules/sensor-state';

const DAY_MS = 86_400_000;
/** Late points have settled when no other has come for this long. */
const SETTLED_MS = 300_000;
const MAX_ERROR = 1_000;

export interface LateCount {
  points: number;
  sinceMs: number;
  /** Why the latest ones could not be reported; null if nothing went wrong. */
  error: string | null;
}

export interface SettledPoints extends Omit<LateArrivals, 'points'> {
  dueMs: number;
}

/** Counts late points in the transaction of their pass. A count ends a day after it began. */
export async function recordLatePoints(
  connection: PoolConnection,
  late: readonly LateArrivals[],
  nowMs: number,
): Promise<void> {
  const rows = late.map(({ sensorTriggerId, points, fromMs, untilMs }) => {
    return [sensorTriggerId, points, nowMs, fromMs, untilMs, nowMs + SETTLED_MS];
  });
  await issueSlices(rows, (slice) =>
    connection.query(
      `INSERT INTO late_points (sensor_trigger_id, points, since_ms, from_ms, until_ms, due_ms) VALUES ?
       ON DUPLICATE KEY UPDATE points = IF(since_ms < ?, 0, points) + VALUES(points),
         since_ms = IF(since_ms < ?, VALUES(since_ms), since_ms),
         from_ms = IF(due_ms IS NULL, VALUES(from_ms), LEAST(from_ms, VALUES(from_ms))),
         until_ms = IF(due_ms IS NULL, VALUES(until_ms), GREATEST(until_ms, VALUES(until_ms))), due_ms = VALUES(due_ms)`,
      [slice, nowMs - DAY_MS, nowMs - DAY_MS],
    ),
  );
}

export async function readLateCounts(
  run: RunSql,
  sensorTriggerIds: readonly number[],
): Promise<Map<number, LateCount>> {
  if (sensorTriggerIds.length === 0) return new Map();
  const rows = await run(
    'SELECT sensor_trigger_id AS id, points, since_ms AS sinceMs, error FROM late_points WHERE sensor_trigger_id IN (?)',
    [sensorTriggerIds],
  );
  return new Map(
    rows.map(({ id, points, sinceMs, error }) => {
      const why = error === null ? null : String(error);
      return [Number(id), { points: Number(points), sinceMs: Number(sinceMs), error: why }];
    }),
  );
}

export async function readSettled(run: RunSql, nowMs: number, most: number): Promise<SettledPoints[]> {
  const rows = await run(
    `SELECT sensor_trigger_id AS id, from_ms AS fromMs, until_ms AS untilMs, due_ms AS dueMs FROM late_points
     WHERE due_ms <= ? ORDER BY due_ms LIMIT ?`,
    [nowMs, most],
  );
  return rows.map(({ id, fromMs, untilMs, dueMs }) => {
    return { sensorTriggerId: Number(id), fromMs: Number(fromMs), untilMs: Number(untilMs), dueMs: Number(dueMs) };
  });
}

/**
 * Takes settled points, reported or failed because of `error`. False if others have come since, or another process has
 * taken them.
 */
export async function takeSettled(
  run: RunSql,
  { sensorTriggerId, dueMs }: SettledPoints,
  error: string | null = null,
): Promise<boolean> {
  const rows = await run(
    'SELECT sensor_trigger_id AS id FROM late_points WHERE sensor_trigger_id = ? AND due_ms = ? FOR UPDATE',
    [sensorTriggerId, dueMs],
  );
  if (rows.length === 0) return false;
  const why = error?.slice(0, MAX_ERROR) ?? null;
  await run('UPDATE late_points SET due_ms = NULL, error = ? WHERE sensor_trigger_id = ?', [why, sensorTriggerId]);
  return true;
}
