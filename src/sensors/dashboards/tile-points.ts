import { readThresholds } from '../../alerts';
import { utcIntervals } from '../../edge/intervals';
import { InvalidInput } from '../../platform/errors';
import { type PointQuery, type PointReads, readPointParts, type StoredDataPoint } from '../../points';
import { chargeAnswer } from '../../storage/cancellation';
import { fieldsIn, hasRange, pickFields, type Tile } from './dashboard';
import type { TileData, TileSensor } from './tile-content';

/** Maximum size of the values of one tile: a public dashboard has many readers. */
const MAX_TILE_BYTES = 1024 * 1024;
const EVERYTHING = { offset: 0, limit: 10_000, withTotal: false };

/** Throws InvalidInput beyond 1 MB. */
export async function addPoints(from: PointReads, { kind, fields }: Tile, data: TileData) {
  const { fromMs, toMs, interval, sensors } = data;
  const byId = new Map(sensors.filter(({ isAvailable }) => isAvailable).map((sensor) => [sensor.id, sensor]));
  if (byId.size === 0) return;
  const range = { startMs: fromMs, endMs: toMs, descending: false };
  const intervals = { seconds: interval, pieces: utcIntervals(interval), aggregate: 'all' as const };
  const read = (query: PointQuery) => readSmall(from, [...byId.keys()], query);
  for (const { sensorId, dateMs, value, extremes } of hasRange(kind) ? await read({ ...range, intervals }) : []) {
    const shown = pickFields(value, fields);
    if (shown === undefined) continue;
    const { min = value, max = value, count = '0' } = extremes ?? {};
    const [least = shown, most = shown, numbers = '0'] = [min, max, count].map((text) => pickFields(text, fields));
    // The first interval begins before the range, and its points do not.
    const dated = { dateMs: Math.max(dateMs, fromMs), value: shown };
    byId.get(sensorId)?.points.push({ ...dated, min: least, max: most, count: numbers });
  }
  for (const { sensorId, dateMs, value } of await read({ ...range, startMs: 0, one: 'last' })) {
    const shown = pickFields(value, fields);
    const sensor = byId.get(sensorId);
    if (sensor && shown !== undefined) sensor.last = { dateMs, value: shown };
  }
  for (const sensor of byId.values()) sensor.fieldUnits = shownUnits(sensor, fields);
}

/** Names of fields without a shown value are not shown either. */
function shownUnits({ points, last, fieldUnits }: TileSensor, fields: readonly string[]): Record<string, string> {
  const values = [...points, ...(last ? [last] : [])].map(({ value }) => value);
  const shown = fields.length > 0 ? fields : fieldsIn(values, Object.keys(fieldUnits));
  return Object.fromEntries(Object.entries(fieldUnits).filter(([name]) => shown.includes(name)));
}

/** Reads in parts, so that no more is read than one tile may have. */
async function readSmall(
  from: PointReads,
  sensorIds: readonly number[],
  query: PointQuery,
): Promise<StoredDataPoint[]> {
  const points: StoredDataPoint[] = [];
  let bytes = 0;
  for await (const part of readPointParts(from, sensorIds, query, EVERYTHING)) {
    for (const { value } of part) bytes += Buffer.byteLength(value);
    if (bytes > MAX_TILE_BYTES) {
      throw InvalidInput.field('tile', 'has more than 1 MB of values; give it fewer sensors or a shorter range');
    }
    points.push(...part);
  }
  chargeAnswer(bytes);
  return points;
}

export async function addThresholds(
  { reads }: PointReads,
  { fields }: Tile,
  ownerId: number,
  sensors: readonly TileSensor[],
) {
  const shown = sensors.filter(({ isAvailable }) => isAvailable);
  const found = await readThresholds(
    reads,
    ownerId,
    shown.map(({ id }) => id),
  );
  // Rules name a field with an underscore for each character that variables cannot have.
  const isShown = (field: string) => fields.some((name) => name === field || name.replace(/[^\w.]/g, '_') === field);
  for (const sensor of shown) {
    const all = found.get(sensor.id) ?? [];
    sensor.thresholds = fields.length > 0 ? all.filter(({ field }) => isShown(field)) : all;
  }
}
