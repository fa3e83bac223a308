import type { Pool, RowDataPacket } from 'mysql2/promise';

/** A stored point of one of the inputs. */
export interface StoredPoint {
  readonly sensorId: number;
  readonly dateMs: number;
  readonly value: string;
}

/** Both ends belong to it. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

// Small enough that other requests of the process are answered in between.
const CHUNK = 4_000;
const MAX_CHUNK_OF_A_SENSOR = 2_000;
const MIN_CHUNK_OF_A_SENSOR = 50;

/** Reads the stored points of several sensors for learning, never more than a chunk of each sensor at a time. */
export class LearningPoints {
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

  /** All points of the span, in chunks, by date. */
  async *inOrder({ fromMs, toMs }: Span): AsyncGenerator<StoredPoint[]> {
    let nextMs = fromMs;
    while (nextMs <= toMs) {
      const points = await this.read({ fromMs: nextMs, toMs });
      // Beyond the last point of a sensor that has more to give, the others' points are not yet in order.
      const horizonMs = Math.min(toMs, ...this.lastOfFull(points));
      yield points.filter(({ dateMs }) => dateMs <= horizonMs).sort((one, other) => one.dateMs - other.dateMs);
      nextMs = horizonMs + 1;
    }
  }

  private lastOfFull(points: readonly StoredPoint[]): number[] {
    const groups = new Map<number, { count: number; lastMs: number }>();
    for (const { sensorId, dateMs } of points) {
      const { count, lastMs } = groups.get(sensorId) ?? { count: 0, lastMs: dateMs };
      groups.set(sensorId, { count: count + 1, lastMs: Math.max(lastMs, dateMs) });
    }
    return [...groups.values()].filter(({ count }) => count === this.chunk).map(({ lastMs }) => lastMs);
  }

  private async read({ fromMs, toMs }: Span): Promise<StoredPoint[]> {
    if (this.sensorIds.length === 0) return [];
    const one = `(SELECT sensor_id AS sensorId, date_ms AS dateMs, value FROM data_points
                  WHERE sensor_id = ? AND date_ms BETWEEN ? AND ? ORDER BY date_ms LIMIT ?)`;
    const [rows] = await this.pool.query<RowDataPacket[]>(
      this.sensorIds.map(() => one).join(' UNION ALL '),
      this.sensorIds.flatMap((sensorId) => [sensorId, fromMs, toMs, this.chunk]),
    );
    return rows as StoredPoint[]; // the aliases above are StoredPoint's keys
  }
}
