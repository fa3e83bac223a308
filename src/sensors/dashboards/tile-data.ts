import type { RowDataPacket } from 'mysql2/promise';
import { readOpenAlerts, type Selector, type StateNow } from '../../alerts';
import { readFieldUnits } from '../../language/measured-value';
import type { PointReads } from '../../points';
import type { Reader } from '../../storage/read-pool';
import { visibleSensorsSql } from '../../storage/sensor-visibility';
import { hasValues, TILE_LIMITS, type Tile, type TileKind, tileInterval } from './dashboard';
import { findFollowed } from './followed-sensors';
import type { TileData, TileSensor } from './tile-content';
import { readFullNames } from './tile-names';
import { readPlan } from './tile-plan';
import { addPoints, addThresholds } from './tile-points';
import { byUrgency, countStates, readStates } from './tile-states';

/** The owner, or anybody with the public link, who sees only sensors that the owner owns. */
export interface Audience {
  ownerId: number;
  isPublic: boolean;
}

/** What one of `tiles` shows, and nothing else. Throws InvalidInput beyond 1 MB. */
export async function readTileData(
  from: PointReads,
  { tile, tiles }: { tile: Tile; tiles: readonly Tile[] },
  audience: Audience,
  nowMs: number,
): Promise<TileData> {
  const data: TileData = {
    fromMs: tile.range === null ? nowMs : nowMs - tile.range * 1_000,
    toMs: nowMs,
    interval: tileInterval(tile.range ?? 0),
    ...{ sensors: [], sensorCount: 0, counts: null, plan: null, alerts: [], alertCount: 0 },
  };
  data.plan = (await findPlan(from, tile, audience)) ?? null;
  const wanted = data.plan ? [...data.plan.spots.keys()] : await findWanted(from, tile, audience);
  if (tile.kind === 'alerts') {
    const which = {
      ownerId: audience.ownerId,
      isOnlyOwn: audience.isPublic,
      sensorIds: wanted,
      shownSensorsSql: shownSensorsSql(audience),
    };
    Object.assign(data, await readOpenAlerts(from.reads, which));
  } else if (wanted !== 'all') {
    await addSensors(from, tile, wanted, audience, data);
  }
  if (hasValues(tile.kind)) await addPoints(from, tile, data);
  if (tile.kind === 'chart') await addThresholds(from, tile, audience.ownerId, data.sensors);
  return withFullNames(from, tiles, audience, data);
}

const ALL_OWN: Selector = { filter: {}, namespace: 'default' };
const HAVE_STATES: ReadonlySet<TileKind> = new Set(['value', 'state', 'counts', 'plan']);

async function findPlan({ reads }: PointReads, { environment }: Tile, audience: Audience) {
  return environment === null ? undefined : readPlan(reads, audience.ownerId, environment, shownSensorsSql(audience));
}

async function findWanted(
  { reads }: PointReads,
  { kind, sensors, selector }: Tile,
  { ownerId }: Audience,
): Promise<number[] | 'all'> {
  if (selector) return findFollowed(reads, ownerId, selector);
  if (sensors.length > 0 || TILE_LIMITS[kind].sensors[0] > 0) return sensors;
  return kind === 'alerts' ? 'all' : kind === 'counts' ? findFollowed(reads, ownerId, ALL_OWN) : [];
}

/** Named sensors stay in order; the most urgent followed ones come first. */
async function addSensors(
  { reads }: PointReads,
  { kind, sensors: named }: Tile,
  wanted: readonly number[],
  audience: Audience,
  data: TileData,
) {
  const states = HAVE_STATES.has(kind)
    ? await readStates(reads, audience.ownerId, wanted, data.toMs)
    : new Map<number, StateNow>();
  const shown = named.length > 0 ? named : byUrgency(wanted, states).slice(0, TILE_LIMITS[kind].followed);
  const found = await findSensors(reads, { kind, sensors: shown }, audience);
  const counted = named.length > 0 ? [...found.keys()] : wanted;
  if (kind === 'state' || kind === 'counts') data.counts = countStates(counted.flatMap((id) => states.get(id) ?? []));
  data.sensorCount = wanted.length;
  if (kind === 'counts') return;
  data.sensors = shown.map((id) => {
    const sensor = found.get(id);
    return sensor ? { ...sensor, ...states.get(id), spot: data.plan?.spots.get(id) ?? null } : unavailable(id);
  });
}

async function withFullNames({ reads }: PointReads, tiles: readonly Tile[], audience: Audience, data: TileData) {
  const shown = { shownSensorsSql: shownSensorsSql(audience), isPublic: audience.isPublic };
  const boardSensors = tiles.flatMap(({ sensors }) => sensors);
  const names = await readFullNames(reads, namesIn(data), { ...shown, boardSensors });
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
  const nothing = { last: null, points: [], state: null, severity: null, sinceMs: null, thresholds: [], spot: null };
  return { id, isAvailable: false, name: '', unit: '', fieldUnits: {}, ...nothing };
}

function shownSensorsSql({ ownerId, isPublic }: Audience): string {
  return isPublic ? `SELECT id FROM sensors WHERE owner_id = ${Number(ownerId)}` : visibleSensorsSql(ownerId);
}

async function findSensors(reads: Reader, { kind, sensors }: Pick<Tile, 'kind' | 'sensors'>, audience: Audience) {
  if (sensors.length === 0) return new Map<number, TileSensor>();
  const [rows] = await reads.query<RowDataPacket[]>(
    `SELECT s.id, COALESCE(NULLIF(s.display_name, ''), s.name) AS name, s.unit, s.field_units AS fieldUnits
     FROM sensors s WHERE s.id IN (?) AND s.id IN (${shownSensorsSql(audience)})`,
    [sensors],
  );
  return new Map(
    rows.map(({ id, name, unit, fieldUnits }) => {
      const shown = { ...unavailable(Number(id)), isAvailable: true, name };
      const units = hasValues(kind) ? { unit, fieldUnits: readFieldUnits(fieldUnits) } : {};
      return [Number(id), { ...shown, ...units }] as const;
    }),
  );
}
