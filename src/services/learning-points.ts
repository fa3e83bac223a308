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
const CHUNK = 2_000;

/** Reads the stored points of several sensors for learning, never more than a chunk of each sensor at a time. */
export class LearningPoints {
  constructor(
    private readonly pool: Pool,
    private readonly sensorIds: readonly number[],
  ) {}

  /** How many points the span holds, counted no further than `atMost`. */
  async count({ fromMs, toMs }: Span, atMost: number): Promise<number> {
    if (this.sensorIds.length === 0) return 0;
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT COUNT(*) AS points FROM
         (SELECT 1 FROM data_points WHERE sensor_id IN (?) AND date_ms BETWEEN ? AND ? LIMIT ?) some_of_them`,
      [this.sensorIds, fromMs, toMs, atMost],
    );
    return Number(rows[0]?.points);
  }

  /** The part of the span between its first and its last point, or null when it holds none. */
  async filled({ fromMs, toMs }: Span): Promise<Span | null> {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT MIN(first_ms) AS fromMs, MAX(last_ms) AS toMs FROM
         (SELECT MIN(date_ms) AS first_ms, MAX(date_ms) AS last_ms FROM data_points
          WHERE sensor_id IN (?) AND date_ms BETWEEN ? AND ? GROUP BY sensor_id) ends`,
      [this.sensorIds, fromMs, toMs],
    );
    const [ends] = rows;
    return ends === undefined || ends.fromMs === null ? null : { fromMs: ends.fromMs, toMs: ends.toMs };
  }

  /** All points of the span, in chunks, by date. */
  async *inOrder({ fromMs, toMs }: Span): AsyncGenerator<StoredPoint[]> {
    let nextMs = fromMs;
    while (nextMs <= toMs) {
      const points = await this.read({ fromMs: nextMs, toMs }, 'ASC', CHUNK);
      // Beyond the last point of a sensor that has more to give, the others' points are not yet in order.
      const horizonMs = Math.min(toMs, ...this.lastOfFull(points));
      yield points.filter(({ dateMs }) => dateMs <= horizonMs).sort((one, other) => one.dateMs - other.dateMs);
      nextMs = horizonMs + 1;
    }
  }

  /** The first point of the span, of whichever sensor. */
  async first(span: Span): Promise<StoredPoint | undefined> {
    const points = await this.read(span, 'ASC', 1);
    return points.sort((one, other) => one.dateMs - other.dateMs)[0];
  }

  /** The last point of each sensor in the span. */
  last(span: Span): Promise<StoredPoint[]> {
    return this.read(span, 'DESC', 1);
  }

  private lastOfFull(points: readonly StoredPoint[]): number[] {
    return this.sensorIds.flatMap((sensorId) => {
      const own = points.filter((point) => point.sensorId === sensorId);
      return own.length === CHUNK ? [Math.max(...own.map(({ dateMs }) => dateMs))] : [];
    });
  }

  private async read({ fromMs, toMs }: Span, direction: 'ASC' | 'DESC', limit: number): Promise<StoredPoint[]> {
    if (this.sensorIds.length === 0) return [];
    const one = `(SELECT sensor_id AS sensorId, date_ms AS dateMs, value FROM data_points
                  WHERE sensor_id = ? AND date_ms BETWEEN ? AND ? ORDER BY date_ms ${direction} LIMIT ?)`;
    const [rows] = await this.pool.query<RowDataPacket[]>(
      this.sensorIds.map(() => one).join(' UNION ALL '),
      this.sensorIds.flatMap((sensorId) => [sensorId, fromMs, toMs, limit]),
    );
    return rows as StoredPoint[]; // the aliases above are StoredPoint's keys
  }
}
