import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { SensorDataPoint } from '../../domain/data-point';

/** Both ends belong to it. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Size {
  readonly sensorId: number;
  readonly dateMs: number;
  readonly bytes: number;
}

// Small enough that other requests of the process are answered in between, and that it does not run out of memory.
const CHUNK = 4_000;
const MAX_CHUNK_OF_A_SENSOR = 2_000;
const MIN_CHUNK_OF_A_SENSOR = 50;
const MAX_BYTES = 8 * 1024 * 1024;

/** Reads the stored points of several sensors for learning, never more than a chunk of each sensor at a time. */
export class TrainingPoints {
  private readonly chunk: number;

  constructor(
    private readonly pool: Pool,
    private readonly sensorIds: readonly number[],
  ) {
    const each = Math.floor(CHUNK / Math.max(1, sensorIds.length));
    this.chunk = Math.min(MAX_CHUNK_OF_A_SENSOR, Math.max(MIN_CHUNK_OF_A_SENSOR, each));
  }

  /** How many points the span holds. */
  async count({ fromMs, toMs }: Span): Promise<number> {
    if (this.sensorIds.length === 0) return 0;
    const [rows] = await this.pool.query<RowDataPacket[]>(
      'SELECT COUNT(*) AS points FROM data_points WHERE sensor_id IN (?) AND date_ms BETWEEN ? AND ?',
      [this.sensorIds, fromMs, toMs],
    );
    return Number(rows[0]?.points);
  }

  /** All points of the span, in chunks, by date. A chunk of large values holds few of them. */
  async *inOrder({ fromMs, toMs }: Span): AsyncGenerator<SensorDataPoint[]> {
    let [nextMs, chunk] = [fromMs, this.chunk];
    while (nextMs <= toMs) {
      const sizes = await this.sizes({ fromMs: nextMs, toMs }, chunk);
      // Beyond the last point of a sensor that has more to give, the others' points are not yet in order.
      const knownMs = Math.min(toMs, ...lastOfFull(sizes, chunk));
      const horizonMs = lastWithin(sizes, knownMs);
      const points = await this.read({ fromMs: nextMs, toMs: horizonMs });
      yield points.sort((one, other) => one.dateMs - other.dateMs);
      nextMs = horizonMs + 1;
      chunk = horizonMs < knownMs ? Math.ceil(chunk / 2) : Math.min(this.chunk, chunk * 2);
    }
  }

  private async sizes({ fromMs, toMs }: Span, chunk: number): Promise<Size[]> {
    if (this.sensorIds.length === 0) return [];
    const one = `(SELECT sensor_id AS sensorId, date_ms AS dateMs, LENGTH(value) AS bytes FROM data_points
                  WHERE sensor_id = ? AND date_ms BETWEEN ? AND ? ORDER BY date_ms LIMIT ?)`;
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `${this.sensorIds.map(() => one).join(' UNION ALL ')} ORDER BY dateMs`,
      this.sensorIds.flatMap((sensorId) => [sensorId, fromMs, toMs, chunk]),
    );
    return rows as Size[]; // the aliases above are Size's keys
  }

  private async read({ fromMs, toMs }: Span): Promise<SensorDataPoint[]> {
    if (this.sensorIds.length === 0) return [];
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT sensor_id AS sensorId, date_ms AS dateMs, value FROM data_points
       WHERE sensor_id IN (?) AND date_ms BETWEEN ? AND ?`,
      [this.sensorIds, fromMs, toMs],
    );
    return rows as SensorDataPoint[]; // the aliases above are SensorDataPoint's keys
  }
}

/** The last date of each sensor that may have more points than were asked for. */
function lastOfFull(sizes: readonly Size[], chunk: number): number[] {
  const groups = new Map<number, { count: number; lastMs: number }>();
  for (const { sensorId, dateMs } of sizes) {
    groups.set(sensorId, { count: (groups.get(sensorId)?.count ?? 0) + 1, lastMs: dateMs });
  }
  return [...groups.values()].filter(({ count }) => count === chunk).map(({ lastMs }) => lastMs);
}

/** The last date up to which the values are not too large together; that of the first point is, whatever its size. */
function lastWithin(sizes: readonly Size[], knownMs: number): number {
  const firstMs = sizes[0]?.dateMs;
  let left = MAX_BYTES;
  for (const { dateMs, bytes } of sizes) {
    left -= bytes;
    if (left < 0 && dateMs !== firstMs) return Math.min(knownMs, dateMs - 1);
  }
  return knownMs;
}
