import type { RowDataPacket } from 'mysql2/promise';
import { findSensorStates, type OpenAlert, readOpenAlerts, type SensorState } from '../../alerts';
import { type Interval, utcIntervals } from '../../edge/intervals';
import type { Severity } from '../../edge/severity';
import { readFieldUnits } from '../../language/measured-value';
import { InvalidInput } from '../../platform/errors';
import { type PointQuery, type PointReads, readPointParts, type StoredDataPoint } from '../../points';
import { chargeAnswer } from '../../storage/cancellation';
import { visibleSensorsSql } from '../../storage/sensor-visibility';
import { fieldsIn, hasRange, pickFields, type Tile, tileInterval } from './dashboard';
import { readFullNames } from './tile-names';

/** The mean, or the last value if that is not a number. */
export interface TilePoint {
  dateMs: number;
  value: string;
  min: string;
  max: string;
  count: string;
}

export interface TileSensor {
  id: number;
  /** False if it does not exist or must not be shown; the rest is empty then. */
  isAvailable: boolean;
  name: string;
  unit: string;
  fieldUnits: Record<string, string>;
  last: { dateMs: number; value: string } | null;
  points: TilePoint[];
  state: SensorState | null;
  severity: Severity | null;
  sinceMs: number | null;
}

export interface TileData {
  fromMs: number;
  toMs: number;
  /** Seconds. */
  interval: Interval;
  sensors: TileSensor[];
  alerts: OpenAlert[];
  alertCount: number;
}

/** The owner, or anybody with the public link, who sees only sensors that the owner owns. */
export interface Audience {
  ownerId: number;
  isPublic: boolean;
}

/** Maximum size of the values of one tile: a public dashboard has many readers. */
const MAX_TILE_BYTES = 1024 * 1024;
const EVERYTHING = { offset: 0, limit: 10_000, withTotal: false };

/** Fields, range and latest values of one of `tiles`, and nothing else. Throws InvalidInput beyond 1 MB. */
export async function readTileData(
  from: PointReads,
  { tile, tiles }: { tile: Tile; tiles: readonly Tile[] },
  audience: Audience,
  nowMs: number,
): Promise<TileData> {
  const found = await findSensors(from, tile, audience);
  const data: TileData = {
    fromMs: tile.range === null ? nowMs : nowMs - tile.range * 1_000,
    toMs: nowMs,
    interval: tileInterval(tile.range ?? 0),
    sensors: tile.sensors.map((id) => found.get(id) ?? unavailable(id)),
    ...{ alerts: [], alertCount: 0 },
  };
  if (hasRange(tile.kind)) await addPoints(from, tile, data);
  if (tile.kind === 'state') await addStates(from, audience, data);
  const shown = { shownSensorsSql: shownSensorsSql(audience), isPublic: audience.isPublic };
  if (tile.kind === 'alerts') {
    const which = { ...shown, ownerId: audience.ownerId, sensorIds: tile.sensors };
    Object.assign(data, await readOpenAlerts(from.reads, which));
  }
  const boardSensors = tiles.flatMap(({ sensors }) => sensors);
  const names = await readFullNames(from.reads, namesIn(data), { ...shown, boardSensors });
  const nameOf = (id: number, name: string) => names.get(id) ?? name;
  return {
    ...data,
    sensors: data.sensors.map((sensor) => ({ ...sensor, name: nameOf(sensor.id, sensor.name) })),
    alerts: data.alerts.map((alert) => ({ ...alert, sensor: nameOf(alert.sensorId, alert.sensor) })),
  };
}

function namesIn({ sensors, alerts }: TileData): Map<number, string> {
  const available = sensors.filter(({ isAvailable }) => isAvailable).map(({ id, name }) => [id, name] as const);
  return new Map([...available, ...alerts.map(({ sensorId, sensor }) => [sensorId, sensor] as const)]);
}

function unavailable(id: number): TileSensor {
  const nothing = { last: null, points: [], state: null, severity: null, sinceMs: null };
  return { id, isAvailable: false, name: '', unit: '', fieldUnits: {}, ...nothing };
}

function shownSensorsSql({ ownerId, isPublic }: Audience): string {
  return isPublic ? `SELECT id FROM sensors WHERE owner_id = ${Number(ownerId)}` : visibleSensorsSql(ownerId);
}

async function findSensors({ reads }: PointReads, { kind, sensors }: Tile, audience: Audience) {
  if (sensors.length === 0) return new Map<number, TileSensor>();
  const [rows] = await reads.query<RowDataPacket[]>(
    `SELECT s.id, COALESCE(NULLIF(s.display_name, ''), s.name) AS name, s.unit, s.field_units AS fieldUnits
     FROM sensors s WHERE s.id IN (?) AND s.id IN (${shownSensorsSql(audience)})`,
    [sensors],
  );
  return new Map(
    rows.map(({ id, name, unit, fieldUnits }) => {
      const shown = { ...unavailable(Number(id)), isAvailable: true, name };
      const units = hasRange(kind) ? { unit, fieldUnits: readFieldUnits(fieldUnits) } : {};
      return [Number(id), { ...shown, ...units }] as const;
    }),
  );
}

function unitsOf(units: Record<string, string>, fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(units).filter(([name]) => fields.includes(name)));
}

async function addPoints(from: PointReads, { fields }: Tile, { fromMs, toMs, interval, sensors }: TileData) {
  const byId = new Map(sensors.filter(({ isAvailable }) => isAvailable).map((sensor) => [sensor.id, sensor]));
  if (byId.size === 0) return;
  const range = { startMs: fromMs, endMs: toMs, descending: false };
  const intervals = { seconds: interval, pieces: utcIntervals(interval), aggregate: 'all' as const };
  const read = (query: PointQuery) => readSmall(from, [...byId.keys()], query);
  for (const { sensorId, dateMs, value, extremes } of await read({ ...range, intervals })) {
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
  for (const sensor of byId.values()) {
    const values = [...sensor.points, ...(sensor.last ? [sensor.last] : [])].map(({ value }) => value);
    // Names of fields without a shown value are not shown either.
    const shown = fields.length > 0 ? fields : fieldsIn(values, Object.keys(sensor.fieldUnits));
    sensor.fieldUnits = unitsOf(sensor.fieldUnits, shown);
  }
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

async function addStates({ reads }: PointReads, { ownerId }: Audience, { sensors, toMs }: TileData): Promise<void> {
  const shown = sensors.filter(({ isAvailable }) => isAvailable);
  const ids = shown.map(({ id }) => id);
  const states = await findSensorStates(reads, ownerId, ids, toMs);
  for (const sensor of shown) Object.assign(sensor, states.get(sensor.id));
}
