import type { RowDataPacket } from 'mysql2/promise';
import type { Caller } from '../../caller';
import type { Reader } from '../../database/read-pool';
import type { StoredDataPoint } from '../../domain/data-point';
import { type Interval, intervalStart } from '../../domain/intervals';
import { InvalidInput } from '../../errors';
import { requireReached } from '../access/reach';
import type { SensorAccess } from '../access/sensor-access';
import type { PointQuery } from './data-point-queries';
import { bytesOfPage, readPointPage } from './point-pages';

const MANY_AT_ONCE = 1_000;
/** So many are never too large: 6 MB. */
const FEW_AT_ONCE = 100;
const MOST_BYTES = 4 * 1024 * 1024;
/** Points that one statement looks at for the fields of their values. */
const LOOKED_AT = 20_000;
const MOST_FIELDS = 1_000;
/** Sensors of these types are not looked at: their values are no JSON. */
const WITHOUT_FIELDS = /^\s*(float|double|number|numeric|int|integer|long|bool|boolean|string)\s*$/i;

/** The values in a range: whether some are not objects, and the fields of the others. */
export interface ValueColumns {
  hasPlain: boolean;
  fields: readonly string[];
}

/** Reads whole ranges of points, a bounded part at a time; between the parts it keeps no connection. */
export class DataExport {
  constructor(
    private readonly reads: Reader,
    private readonly access: SensorAccess,
  ) {}

  /** NotFound when the caller may not see one of the sensors. */
  async requireReadable({ userId, credential }: Pick<Caller, 'userId' | 'credential'>, sensorIds: readonly number[]) {
    requireReached(credential, sensorIds);
    await this.access.requireReadable(userId, sensorIds);
  }

  /** All points of the query, in its order. */
  async *read(sensorIds: readonly number[], query: PointQuery): AsyncGenerator<StoredDataPoint[]> {
    if (query.interval !== undefined) yield* this.readIntervals(sensorIds, query, query.interval);
    else if (query.one) yield await this.page(sensorIds, query, 0, MANY_AT_ONCE);
    else yield* this.readRange(sensorIds, query);
  }

  /** The fields of the values in a range; InvalidInput when there are too many for columns. */
  async columns(sensorIds: readonly number[], query: PointQuery): Promise<ValueColumns> {
    const [sensors] = await this.reads.query<RowDataPacket[]>(
      'SELECT id, data_type AS dataType FROM sensors WHERE id IN (?)',
      [sensorIds],
    );
    const fields = new Set<string>();
    let hasPlain = false;
    for (const { id, dataType } of sensors) {
      if (WITHOUT_FIELDS.test(String(dataType))) hasPlain = true;
      else if (await this.collectFields(Number(id), query, fields)) hasPlain = true;
    }
    return { hasPlain: hasPlain || fields.size === 0, fields: [...fields].sort() };
  }

  /** Whether some values of the sensor are no objects. */
  private async collectFields(sensorId: number, { startMs, endMs }: PointQuery, fields: Set<string>): Promise<boolean> {
    let hasPlain = false;
    for (let fromMs = startMs; ; ) {
      const [rows] = await this.reads.query<RowDataPacket[]>(
        `SELECT names, MAX(date_ms) AS lastMs, COUNT(*) AS points FROM (
           SELECT date_ms, CASE WHEN value LIKE '{%' AND JSON_VALID(value) THEN JSON_KEYS(value) END AS names FROM (
             SELECT date_ms, value FROM data_points WHERE sensor_id = ? AND date_ms BETWEEN ? AND ? ORDER BY date_ms LIMIT ?
           ) some) named GROUP BY names`,
        [sensorId, fromMs, endMs, LOOKED_AT],
      );
      for (const { names } of rows) {
        if (names === null) hasPlain = true;
        else for (const name of keysIn(names)) fields.add(name);
      }
      if (fields.size > MOST_FIELDS) {
        throw new InvalidInput(`the values have more than ${MOST_FIELDS} fields, too many for columns: ask for NDJSON`);
      }
      if (rows.reduce((sum, { points }) => sum + Number(points), 0) < LOOKED_AT) return hasPlain;
      fromMs = Math.max(...rows.map(({ lastMs }) => Number(lastMs))) + 1;
    }
  }

  private async *readRange(sensorIds: readonly number[], query: PointQuery): AsyncGenerator<StoredDataPoint[]> {
    // Sensors may have points of the same date: those that have been read are skipped.
    for (let [rest, skip] = [query, 0]; ; ) {
      const points = await this.page(sensorIds, rest, skip, MANY_AT_ONCE);
      yield points;
      const last = points.at(-1);
      if (!last) return;
      const same = points.filter(({ dateMs }) => dateMs === last.dateMs).length;
      skip = same === points.length && isAt(rest, last.dateMs) ? skip + same : same;
      rest = rest.descending ? { ...rest, endMs: last.dateMs } : { ...rest, startMs: last.dateMs };
    }
  }

  /** By windows of time, which begin where there are points: an average of the whole range at once could take any time. */
  private async *readIntervals(
    sensorIds: readonly number[],
    query: PointQuery,
    interval: Interval,
  ): AsyncGenerator<StoredDataPoint[]> {
    const windowMs = Math.max(10, Math.floor(MANY_AT_ONCE / sensorIds.length)) * interval * 1000;
    const { descending } = query;
    for (let rest = query; ; ) {
      const edges = await this.page(
        sensorIds,
        { ...rest, interval: undefined, one: descending ? 'last' : 'first' },
        0,
        MANY_AT_ONCE,
      );
      const dates = edges.map(({ dateMs }) => dateMs);
      if (dates.length === 0) return;
      const startMs = intervalStart(descending ? Math.max(...dates) : Math.min(...dates), interval);
      const from = descending ? startMs + interval * 1000 - windowMs : startMs;
      const window = {
        ...rest,
        startMs: Math.max(rest.startMs, from),
        endMs: Math.min(rest.endMs, from + windowMs - 1),
      };
      yield await this.page(sensorIds, window, 0, windowMs / interval);
      rest = descending ? { ...rest, endMs: from - 1 } : { ...rest, startMs: from + windowMs };
      if (rest.startMs > rest.endMs) return;
    }
  }

  private async page(sensorIds: readonly number[], query: PointQuery, skip: number, most: number) {
    const page = { offset: skip, limit: most, withTotal: false };
    const isStored = query.one === undefined && query.interval === undefined;
    const isLarge = isStored && (await bytesOfPage(this.reads, sensorIds, query, page)) > MOST_BYTES;
    return readPointPage(this.reads, sensorIds, query, { ...page, limit: isLarge ? FEW_AT_ONCE : most });
  }
}

function isAt({ descending, startMs, endMs }: PointQuery, dateMs: number): boolean {
  return (descending ? endMs : startMs) === dateMs;
}

/** JSON text, or what the driver has made of it. */
function keysIn(names: unknown): string[] {
  const keys: unknown = typeof names === 'string' ? JSON.parse(names) : names;
  return Array.isArray(keys) ? keys.map(String) : [];
}
