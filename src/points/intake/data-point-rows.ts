import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { fitInOneStatement } from '../../storage/slices';
import { type DataPoint, delaySeconds, type UploadedPoint } from '../data-points/data-point';
import { newestRowIn } from '../point-store/newest-rows';
import type { PointRows } from '../point-store/point-rows';
import type { Targets } from './upload-targets';

export function toRows(batches: readonly DatedBatch[], targets: Targets): PointRows {
  const rows: PointRows = { replacing: [], added: [] };
  for (const batch of batches) if (targets.get(batch.sensorId)?.stores) addRows(rows, batch);
  return rows;
}

export function addRows({ replacing, added }: PointRows, { sensorId, points, receivedMs }: DatedBatch): void {
  for (const { dateMs, value, isDatedHere, belowNs, isSuperseded } of points) {
    if (isSuperseded) continue;
    const delayS = delaySeconds(dateMs, receivedMs);
    if (isDatedHere || belowNs !== undefined) added.push([sensorId, dateMs, value, delayS, belowNs || null]);
    else replacing.push([sensorId, dateMs, value, delayS]);
  }
}

/**
 * One statement, without a transaction, takes a twentieth less processor time for single points. Only sensors without
 * subscribers allow it.
 */
export function isOneStatement(requests: readonly { size: number; weight: number }[], targets: Targets): boolean {
  for (const { evaluated, streamed } of targets.values()) if (evaluated || streamed) return false;
  let [points, characters] = [0, 0];
  for (const { size, weight } of requests) {
    points += size;
    characters += weight; // an upper bound
  }
  return fitInOneStatement(points, characters);
}

export interface UploadedBatch {
  sensorId: number;
  points: readonly UploadedPoint[];
  receivedMs: number;
  isPast?: boolean;
}

/**
 * `isDatedHere`: the server's date replaces nothing. `belowNs`: the date must be free, or it has to be united first.
 * `isSuperseded`: a later point of the commit is the row of its date.
 */
export interface DatedPoint extends DataPoint {
  readonly isDatedHere?: true;
  readonly belowNs?: number;
  readonly isSuperseded?: true;
}

export interface DatedBatch extends UploadedBatch {
  points: readonly DatedPoint[];
}

const LOOK_AHEAD_MS = 60_000;

/**
 * Gives points distinct dates, not before the receipt of the request, and later than all that the server assigned for
 * the sensor. The row in `server_dates` stays locked until the commit, so these dates are in the order of commits, and
 * no point makes another one late. `isAgain`: dates that points brought are skipped.
 */
export function dateByServer(
  connection: PoolConnection,
  batches: readonly UploadedBatch[],
  isAgain = false,
): readonly DatedBatch[] | Promise<readonly DatedBatch[]> {
  const undated = countUndated(batches);
  // Nothing is awaited, so all statements of the commit still go in one packet.
  if (undated.size === 0) return batches as readonly DatedBatch[];
  return dateUndated(connection, batches, undated, isAgain);
}

async function dateUndated(
  connection: PoolConnection,
  batches: readonly UploadedBatch[],
  undated: ReadonlyMap<number, { points: number; fromMs: number }>,
  isAgain: boolean,
): Promise<readonly DatedBatch[]> {
  const taken = isAgain ? await readTaken(connection, batches, undated) : undefined;
  const rows = [...undated]
    .sort(([a], [b]) => a - b) // concurrent commits lock in one order
    .map(([sensorId, { points, fromMs }]) => {
      const firstMs = Math.max(fromMs, (taken?.get(sensorId) ?? 0) + 1);
      return [sensorId, firstMs + points - 1, points];
    });
  const [, [given]] = await Promise.all([
    connection.query(
      `INSERT INTO server_dates (sensor_id, last_ms, points) VALUES ?
       ON DUPLICATE KEY UPDATE last_ms = GREATEST(last_ms + VALUES(points), VALUES(last_ms)), points = VALUES(points)`,
      [rows],
    ),
    connection.query<RowDataPacket[]>(
      'SELECT sensor_id AS sensorId, last_ms AS lastMs, points FROM server_dates WHERE sensor_id IN (?)',
      [rows.map(([sensorId]) => sensorId)],
    ),
  ]);
  const next = new Map(
    given.map(({ sensorId, lastMs, points }) => [Number(sensorId), Number(lastMs) - Number(points) + 1]),
  );
  return batches.map((batch) => ({ ...batch, points: dated(batch, next) }));
}

function countUndated(batches: readonly UploadedBatch[]): Map<number, { points: number; fromMs: number }> {
  const undated = new Map<number, { points: number; fromMs: number }>();
  for (const { sensorId, points, receivedMs } of batches) {
    let count = 0;
    for (const { dateMs } of points) if (dateMs === undefined) count += 1;
    if (count === 0) continue;
    const known = undated.get(sensorId);
    if (known) known.points += count;
    else undated.set(sensorId, { points: count, fromMs: receivedMs });
  }
  return undated;
}

function dated({ sensorId, points }: UploadedBatch, next: Map<number, number>): DatedPoint[] {
  return points.map(({ value, dateMs, belowNs }) => {
    if (dateMs !== undefined) return { value, dateMs, ...(belowNs !== undefined && { belowNs }) };
    const given = next.get(sensorId) ?? 0;
    next.set(sensorId, given + 1);
    return { value, dateMs: given, isDatedHere: true };
  });
}

async function readTaken(
  connection: PoolConnection,
  batches: readonly UploadedBatch[],
  undated: ReadonlyMap<number, { fromMs: number }>,
): Promise<ReadonlyMap<number, number>> {
  const found = await Promise.all(
    [...undated].map(async ([sensorId, { fromMs }]) => {
      const next = { startMs: fromMs, endMs: fromMs + LOOK_AHEAD_MS };
      const isNext = (dateMs: number) => dateMs >= next.startMs && dateMs <= next.endMs;
      let lastMs = await newestRowIn(connection, sensorId, next);
      for (const batch of batches) {
        if (batch.sensorId !== sensorId) continue;
        for (const { dateMs } of batch.points)
          if (dateMs !== undefined && isNext(dateMs)) lastMs = Math.max(lastMs, dateMs);
      }
      return [sensorId, lastMs] as const;
    }),
  );
  return new Map(found);
}
