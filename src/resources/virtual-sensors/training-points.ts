import type { RowDataPacket } from 'mysql2/promise';
import type { SensorDataPoint } from '../../rules/data-point';
import type { TimeRange } from '../../rules/time-range';
import type { Reader } from '../../storage/read-pool';

interface Size {
  readonly sensorId: number;
  readonly dateMs: number;
  readonly bytes: number;
}

// Maximum number of points of a chunk: the process handles other requests in between, and its memory is bounded.
const CHUNK = 4_000;
const MAX_CHUNK_PER_SENSOR = 2_000;
const MIN_CHUNK_PER_SENSOR = 50;
const MAX_BYTES = 8 * 1024 * 1024;

/** Reads the stored points of several sensors for training, at most a chunk of each sensor at a time. */
export class TrainingPoints {
  private readonly chunk: number;

  constructor(
    private readonly pool: Reader,
    private readonly sensorIds: readonly number[],
  ) {
    const each = Math.floor(CHUNK / Math.max(1, sensorIds.length));
    this.chunk = Math.min(MAX_CHUNK_PER_SENSOR, Math.max(MIN_CHUNK_PER_SENSOR, each));
  }

  /** Number of points in the range. */
  async count({ startMs, endMs }: TimeRange): Promise<number> {
    if (this.sensorIds.length === 0) return 0;
    const [rows] = await this.pool.query<RowDataPacket[]>(
      'SELECT COUNT(*) AS points FROM data_points WHERE sensor_id IN (?) AND date_ms BETWEEN ? AND ?',
      [this.sensorIds, startMs, endMs],
    );
    return Number(rows[0]?.points);
  }

  /** All points of the range, in chunks, by date. A chunk of large values contains few of them. */
  async *inOrder({ startMs, endMs }: TimeRange): AsyncGenerator<SensorDataPoint[]> {
    let [nextMs, chunk] = [startMs, this.chunk];
    while (nextMs <= endMs) {
      const sizes = await this.sizes({ startMs: nextMs, endMs }, chunk);
      // Beyond the last read point of a sensor that has more points, the other sensors' points are not complete yet.
      const knownMs = Math.min(endMs, ...lastOfFull(sizes, chunk));
      const horizonMs = lastWithin(sizes, knownMs);
      const points = await this.read({ startMs: nextMs, endMs: horizonMs });
      yield points.sort((one, other) => one.dateMs - other.dateMs);
      nextMs = horizonMs + 1;
      chunk = horizonMs < knownMs ? Math.ceil(chunk / 2) : Math.min(this.chunk, chunk * 2);
    }
  }

  private async sizes({ startMs, endMs }: TimeRange, chunk: number): Promise<Size[]> {
    if (this.sensorIds.length === 0) return [];
    const one = `(SELECT sensor_id AS sensorId, date_ms AS dateMs, LENGTH(value) AS bytes FROM data_points
                  WHERE sensor_id = ? AND date_ms BETWEEN ? AND ? ORDER BY date_ms LIMIT ?)`;
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `${this.sensorIds.map(() => one).join(' UNION ALL ')} ORDER BY dateMs`,
      this.sensorIds.flatMap((sensorId) => [sensorId, startMs, endMs, chunk]),
    );
    return rows as Size[]; // the aliases above are Size's keys
  }

  private async read({ startMs, endMs }: TimeRange): Promise<SensorDataPoint[]> {
    if (this.sensorIds.length === 0) return [];
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT sensor_id AS sensorId, date_ms AS dateMs, value FROM data_points
       WHERE sensor_id IN (?) AND date_ms BETWEEN ? AND ?`,
      [this.sensorIds, startMs, endMs],
    );
    return rows as SensorDataPoint[]; // the aliases above are SensorDataPoint's keys
  }
}

/** The last date of each sensor that may have more points than requested. */
function lastOfFull(sizes: readonly Size[], chunk: number): number[] {
  const groups = new Map<number, { count: number; lastMs: number }>();
  for (const { sensorId, dateMs } of sizes) {
    groups.set(sensorId, { count: (groups.get(sensorId)?.count ?? 0) + 1, lastMs: dateMs });
  }
  return [...groups.values()].filter(({ count }) => count === chunk).map(({ lastMs }) => lastMs);
}

/** The last date up to which the values fit into a chunk together; the values of the first date always do. */
function lastWithin(sizes: readonly Size[], knownMs: number): number {
  const firstMs = sizes[0]?.dateMs;
  let left = MAX_BYTES;
  for (const { dateMs, bytes } of sizes) {
    left -= bytes;
    if (left < 0 && dateMs !== firstMs) return Math.min(knownMs, dateMs - 1);
  }
  return knownMs;
}
