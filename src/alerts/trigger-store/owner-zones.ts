import { parsePosition } from '../../language/zones/coordinates';
import type { SensorPlace, SensorZones } from '../../language/zones/sensor-zones';
import { type ZoneIndex, zoneIndexOf } from '../../language/zones/zone-index';
import { ancestorsOf } from '../../platform/nesting';
import type { RunSql } from '../../storage/transaction';
import type { SensorState } from '../rules/sensor-state';

/** Including those without an outline: sensors are in them. */
const MAX_ENVIRONMENTS = 2_000;
/** Characters of all outlines of an owner. */
const MAX_OUTLINES = 600_000;

export type ChargeBytes = (ownerId: number, bytes: number) => void;

type Row = Readonly<Record<string, unknown>>;

interface OwnerZones {
  index: ZoneIndex;
  names: ReadonlyMap<number, string>;
  parents: ReadonlyMap<number, number | null>;
}

/** Charges owners for the outlines that it reads. */
export async function addZones(run: RunSql, states: readonly SensorState[], charge: ChargeBytes): Promise<void> {
  if (states.length === 0) return;
  const ownerOf = ({ triggers }: SensorState) => triggers[0]?.ownerId ?? 0;
  const ownerIds = [...new Set(states.map(ownerOf))];
  const zonesOf = await readZones(
    run,
    ownerIds,
    states.map(({ sensor }) => sensor.id),
  );
  for (const state of states) state.sensor.zones = zonesOf(ownerOf(state), state.sensor.id);
  for (const id of ownerIds) charge(id, zonesOf(id, 0).index?.length ?? 0);
}

/** The zones of a user, for a sensor that is in no environment. */
export async function readZonesOf(run: RunSql, userId: number): Promise<SensorZones> {
  return { index: (await readOwnerZones(run, [userId])).get(userId)?.index ?? null, place: null };
}

/** The zones of these users, and the places where they have put these sensors. */
export async function readZones(
  run: RunSql,
  ownerIds: readonly number[],
  sensorIds: readonly number[],
): Promise<(ownerId: number, sensorId: number) => SensorZones> {
  const zones = await readOwnerZones(run, ownerIds);
  const rows = await run(
    `SELECT owner_id AS ownerId, sensor_id AS sensorId, environment_id AS environmentId, position
     FROM environment_sensors WHERE owner_id IN (?) AND sensor_id IN (?)`,
    [ownerIds, sensorIds],
  );
  const places = new Map(rows.map((row) => [`${row.ownerId} ${row.sensorId}`, row]));
  return (ownerId, sensorId) => {
    const own = zones.get(ownerId);
    const row = places.get(`${ownerId} ${sensorId}`);
    return { index: own?.index ?? null, place: own && row ? placeOf(row, own) : null };
  };
}

/** Nothing for owners beyond the limits. */
async function readOwnerZones(run: RunSql, ownerIds: readonly number[]): Promise<Map<number, OwnerZones>> {
  const sizes = await run(
    `SELECT owner_id AS ownerId FROM environments WHERE owner_id IN (?) GROUP BY owner_id
     HAVING COUNT(*) > ? OR SUM(CHAR_LENGTH(gps_outline)) > ?`,
    [ownerIds, MAX_ENVIRONMENTS, MAX_OUTLINES],
  );
  const beyond = new Set(sizes.map(({ ownerId }) => Number(ownerId)));
  const within = ownerIds.filter((id) => !beyond.has(id));
  if (within.length === 0) return new Map();
  const rows = await run(
    `SELECT id, owner_id AS ownerId, parent_id AS parentId, name, gps_outline AS outline
     FROM environments WHERE owner_id IN (?) ORDER BY owner_id, id`,
    [within],
  );
  const byOwner = new Map<number, Row[]>(within.map((id) => [id, []]));
  for (const row of rows) byOwner.get(Number(row.ownerId))?.push(row);
  return new Map([...byOwner].map(([ownerId, own]) => [ownerId, zonesOf(own)]));
}

function zonesOf(rows: readonly Row[]): OwnerZones {
  const zones = rows.map(({ name, outline }) => ({ name: String(name), outline: String(outline) }));
  return {
    index: zoneIndexOf(zones.filter(({ outline }) => outline !== '')),
    names: new Map(rows.map(({ id, name }) => [Number(id), String(name)])),
    parents: new Map(rows.map(({ id, parentId }) => [Number(id), parentId === null ? null : Number(parentId)])),
  };
}

function placeOf(row: Row, { names, parents }: OwnerZones): SensorPlace {
  const position = parsePosition(String(row.position));
  return {
    environments: ancestorsOf(Number(row.environmentId), parents).flatMap((id) => names.get(id) ?? []),
    position: position.ok ? position.value : null,
  };
}
