import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { LruCache } from '../../platform/lru-cache';
import { countAhead, isLate, MAX_AHEAD_MS } from '../data-points/evaluated-points';
import { newestDates } from '../point-store/newest-rows';
import type { Targets } from './upload-targets';
import type { PointBatch, Waiting } from './waiting-requests';

const CACHED_SENSORS = 20_000;
/** Within this time, dates are compared with the newest that this process has stored, not with MySQL. */
const RECENT_MS = 60_000;
const CURRENT_MS = 10_000;

/** Sensor → last date that all of its triggers have evaluated, or will from the inbox. */
type Evaluated = ReadonlyMap<number, number>;

/**
 * Counts points dated too far ahead, or older than the last evaluated one. Current points in order cost no statement.
 */
export class LatePoints {
  private readonly newest = new LruCache<number, number>(CACHED_SENSORS);

  /** Call it in the transaction of the points, before they are stored. */
  async read(connection: PoolConnection, batches: readonly PointBatch[], targets: Targets): Promise<Evaluated> {
    const doubtful = new Set<number>();
    let mostMs = 0;
    for (const batch of batches) {
      mostMs = Math.max(mostMs, batch.receivedMs);
      if (!batch.isPast && targets.get(batch.sensorId)?.evaluated && this.isDoubtful(batch))
        doubtful.add(batch.sensorId);
    }
    if (doubtful.size === 0) return new Map();
    const ids = [...doubtful];
    const [newest, [rows]] = await Promise.all([
      newestDates(connection, ids),
      connection.query<RowDataPacket[]>(
        `SELECT sensor_id AS id, MIN(last_date_ms) AS lastMs, MAX(IF(last_date_ms IS NULL, created_ms, 0)) AS newSinceMs
         FROM sensor_triggers WHERE sensor_id IN (?) AND active GROUP BY sensor_id`,
        [ids],
      ),
    ]);
    const aheadMs = mostMs + MAX_AHEAD_MS;
    return new Map(rows.flatMap((row) => evaluatedUntil(row, newest.get(Number(row.id)), aheadMs)));
  }

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

  /** Caches the newest dates. Call it after the commit. */
  keep(batches: readonly PointBatch[], targets: Targets): void {
    for (const { sensorId, points, receivedMs, isPast } of batches) {
      if (isPast) continue;
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

/**
 * A trigger evaluates all points stored after its connection; its row may lag behind. It does not evaluate points from
 * `aheadMs` on: then only its row counts.
 */
function evaluatedUntil(
  { id, lastMs, newSinceMs }: RowDataPacket,
  newestMs: number | undefined,
  aheadMs: number,
): [sensorId: number, untilMs: number][] {
  if (newestMs !== undefined && newestMs >= Number(newSinceMs) && newestMs <= aheadMs) return [[Number(id), newestMs]];
  return Number(newSinceMs) > 0 ? [] : [[Number(id), Number(lastMs)]];
}
