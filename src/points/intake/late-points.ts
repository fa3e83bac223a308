import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { LruCache } from '../../platform/lru-cache';
import { countAhead, isLate, MAX_AHEAD_MS } from '../data-points/evaluated-points';
import { newestDates } from '../point-store/newest-rows';
import type { Targets } from './upload-targets';
import type { PointBatch, Waiting } from './waiting-requests';

/** Sensors whose newest date is cached. */
const CACHED_SENSORS = 20_000;
/** Dates within this time are compared with the newest date that this process has stored, not with MySQL. */
const RECENT_MS = 60_000;
/** The same for sensors of which this process has stored nothing yet. */
const CURRENT_MS = 10_000;

/** Sensor → the date of the last point that all of its triggers have evaluated, or will from the inbox. */
type Evaluated = ReadonlyMap<number, number>;

/**
 * Counts the points of uploads that are stored and not evaluated, for the answers: those dated too far ahead, and those
 * older than the last one. Current points in order cost no statement.
 */
export class LatePoints {
  private readonly newest = new LruCache<number, number>(CACHED_SENSORS);

  /** Reads what the counts need, in the transaction that stores the points, and before it does. */
  async read(connection: PoolConnection, batches: readonly PointBatch[], targets: Targets): Promise<Evaluated> {
    const doubtful = new Set<number>();
    let mostMs = 0;
    for (const batch of batches) {
      mostMs = Math.max(mostMs, batch.receivedMs);
      if (targets.get(batch.sensorId)?.evaluated && this.isDoubtful(batch)) doubtful.add(batch.sensorId);
    }
    if (doubtful.size === 0) return new Map();
    const ids = [...doubtful];
    const [newest, [rows]] = await Promise.all([
      newestDates(connection, ids, mostMs + MAX_AHEAD_MS),
      connection.query<RowDataPacket[]>(
        `SELECT sensor_id AS id, MIN(last_date_ms) AS lastMs, MAX(IF(last_date_ms IS NULL, created_ms, 0)) AS newSinceMs
         FROM sensor_triggers WHERE sensor_id IN (?) AND active GROUP BY sensor_id`,
        [ids],
      ),
    ]);
    return new Map(rows.flatMap((row) => evaluatedUntil(row, newest.get(Number(row.id)))));
  }

  /** The number of points of a stored request that no trigger evaluates. */
  count({ batches }: Waiting, evaluated: Evaluated): number {
    let count = 0;
    for (const { sensorId, points, receivedMs } of batches) {
      count += countAhead(points, receivedMs);
      const lastDateMs = evaluated.get(sensorId);
      if (lastDateMs === undefined) continue;
      for (const { dateMs, value } of points) {
        if (dateMs === undefined || dateMs === lastDateMs) continue;
        if (isLate({ lastDateMs, lastValue: null }, { dateMs, value, receivedMs })) count += 1;
      }
    }
    return count;
  }

  /** Caches the newest dates of points, after their commit. */
  keep(batches: readonly PointBatch[], targets: Targets): void {
    for (const { sensorId, points, receivedMs } of batches) {
      if (!targets.get(sensorId)?.evaluated) continue;
      let newestMs = this.newest.find(sensorId) ?? 0;
      for (const { dateMs = receivedMs } of points) {
        if (dateMs <= receivedMs + MAX_AHEAD_MS) newestMs = Math.max(newestMs, dateMs);
      }
      this.newest.set(sensorId, newestMs);
    }
  }

  private isDoubtful({ sensorId, points, receivedMs }: PointBatch): boolean {
    const known = this.newest.find(sensorId);
    const fromMs = known === undefined ? receivedMs - CURRENT_MS : Math.max(known, receivedMs - RECENT_MS);
    return points.some(({ dateMs }) => dateMs !== undefined && dateMs < fromMs);
  }
}

/** A trigger evaluates all points that are stored after its connection; its row may lag behind. */
function evaluatedUntil(
  { id, lastMs, newSinceMs }: RowDataPacket,
  newestMs: number | undefined,
): [sensorId: number, untilMs: number][] {
  if (newestMs !== undefined && newestMs >= Number(newSinceMs)) return [[Number(id), newestMs]];
  return Number(newSinceMs) > 0 ? [] : [[Number(id), Number(lastMs)]];
}
