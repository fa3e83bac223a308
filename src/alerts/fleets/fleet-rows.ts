import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { FleetSettings } from '../../points';

type Connection = Pick<PoolConnection, 'query'>;

/** More batches of an owner than this may hold points of any member. */
const BATCHES_LOOKED_AT = 1_000;

export interface StoredFleet {
  id: number;
  ownerId: number;
  settings: FleetSettings;
  lastError: string | null;
  version: number;
  readVersion: number;
  /** 0: the members have to be compared with the inputs; null: the clock changes nothing. */
  nextDueMs: number | null;
  writtenMs: number;
  output: string;
  firingKey: string;
  problem: string | null;
  hasTrigger: boolean;
  members: Buffer;
}

const FLEET = `SELECT STRAIGHT_JOIN f.service_id AS id, f.owner_id AS ownerId, sv.settings, sv.last_error AS lastError,
    f.version, f.read_version AS readVersion, f.next_due_ms AS nextDueMs, f.written_ms AS writtenMs, f.output,
    f.firing_key AS firingKey, f.problem, f.members,
    EXISTS (SELECT 1 FROM triggers t WHERE t.id = f.trigger_id AND t.owner_id = f.owner_id) AS hasTrigger
  FROM sensors s JOIN services sv ON sv.id = s.id JOIN fleets f ON f.service_id = s.id WHERE s.id = ?`;
const IS_ENABLED = 'EXISTS (SELECT 1 FROM users u WHERE u.id = f.owner_id AND u.disabled_ms IS NULL)';

/** Locks the sensor first, as edits do. */
export async function lockFleet(connection: Connection, id: number): Promise<StoredFleet | undefined> {
  return (await readFleets(connection, `${FLEET} AND ${IS_ENABLED} FOR UPDATE`, [id]))[0];
}

/** The next fleet by id, as it is. */
export async function fleetAfter(connection: Connection, afterId: number): Promise<StoredFleet | undefined> {
  const next = '(SELECT MIN(n.service_id) FROM fleets n WHERE n.service_id > ?)';
  return (await readFleets(connection, FLEET.replace('s.id = ?', `s.id = ${next}`), [afterId]))[0];
}

async function readFleets(connection: Connection, sql: string, values: unknown[]): Promise<StoredFleet[]> {
  const [rows] = await connection.query<RowDataPacket[]>(sql, values);
  return rows.map((row) => {
    const { lastError, output, firingKey, problem, hasTrigger, members } = row;
    const nextDueMs = row.nextDueMs === null ? null : Number(row.nextDueMs);
    return {
      ...{ id: Number(row.id), ownerId: Number(row.ownerId), settings: JSON.parse(row.settings), lastError },
      ...{ version: Number(row.version), readVersion: Number(row.readVersion), nextDueMs },
      ...{ writtenMs: Number(row.writtenMs), output, firingKey, problem, hasTrigger: Boolean(hasTrigger), members },
    };
  });
}

/** In order. */
export async function readMemberIds(connection: Connection, id: number): Promise<number[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT sensor_id AS id FROM service_inputs WHERE service_id = ? ORDER BY sensor_id',
    [id],
  );
  return rows.map((row) => Number(row.id));
}

export interface FleetChange {
  id: number;
  version: number;
  changes: Buffer;
}

/** The oldest of them. */
export async function readChanges(connection: Connection, serviceId: number, limit: number): Promise<FleetChange[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT id, version, changes FROM fleet_changes WHERE service_id = ? ORDER BY id LIMIT ?',
    [serviceId, limit],
  );
  return rows.map(({ id, version, changes }) => ({ id: Number(id), version: Number(version), changes }));
}

export async function deleteChanges(connection: Connection, changes: readonly FleetChange[]): Promise<void> {
  if (changes.length === 0) return;
  await connection.query('DELETE FROM fleet_changes WHERE id IN (?)', [changes.map(({ id }) => id)]);
}

export interface WaitingPoints {
  sensors: ReadonlySet<number>;
  /** What arrived before has been handled, whichever sensor it is of. */
  sinceMs: number;
}

/** Points of an owner that wait for a pass. */
export async function readWaiting(connection: Connection, ownerId: number): Promise<WaitingPoints> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT sensor_ids AS ids FROM inbox_batches WHERE owner_id = ? LIMIT ?',
    [ownerId, BATCHES_LOOKED_AT],
  );
  const sensors = new Set(rows.flatMap(({ ids }) => JSON.parse(ids) as number[])); // the inbox writes lists of ids
  if (rows.length < BATCHES_LOOKED_AT) return { sensors, sinceMs: Number.POSITIVE_INFINITY };
  const [[oldest]] = await connection.query<RowDataPacket[]>(
    'SELECT MIN(stored_ms) AS sinceMs FROM inbox_batches WHERE owner_id = ?',
    [ownerId],
  );
  return { sensors, sinceMs: Number(oldest?.sinceMs ?? 0) };
}

export interface OpenEpisodes {
  /** Another one after any episode has begun or ended. */
  key: string;
  sensorIds: ReadonlySet<number>;
}

/** The index has only the open episodes of the owner together, so few open ones cost little. */
const OPEN = 'firings f FORCE INDEX (firings_lasting) WHERE f.owner_id IN (?) AND f.is_lasting = TRUE';

export async function readOpenEpisodes(
  connection: Connection,
  ownerId: number,
  triggerId: number,
): Promise<OpenEpisodes> {
  // An episode that begins or ends between the two reads gives another key next time.
  const key = (await readFiringKeys(connection, [ownerId], [triggerId])).get(triggerId) ?? '';
  if (key === '') return { key, sensorIds: new Set() };
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT f.sensor_id AS sensorId FROM ${OPEN} AND f.trigger_id = ?`,
    [[ownerId], triggerId],
  );
  return { key, sensorIds: new Set(rows.map(({ sensorId }) => Number(sensorId))) };
}

/** By trigger; triggers without open episodes are left out. */
async function readFiringKeys(
  connection: Connection,
  ownerIds: readonly number[],
  triggerIds: readonly number[],
): Promise<Map<number, string>> {
  if (triggerIds.length === 0) return new Map();
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT f.trigger_id AS triggerId, CONCAT_WS(' ', COUNT(*), SUM(f.id), MAX(f.id), BIT_XOR(f.id)) AS firingKey
     FROM ${OPEN} AND f.trigger_id IN (?) GROUP BY f.trigger_id`,
    [ownerIds, triggerIds],
  );
  return new Map(rows.map(({ triggerId, firingKey }) => [Number(triggerId), String(firingKey)]));
}

export interface DueFleet {
  id: number;
  ownerId: number;
}

/** With changes, due by the clock, or with a trigger whose open episodes may have changed. */
const CANDIDATES = `SELECT DISTINCT 'changed' AS why, c.service_id AS id, NULL AS ownerId, NULL AS triggerId, NULL AS firingKey
    FROM fleet_changes c
  UNION ALL SELECT 'due', f.service_id, NULL, NULL, NULL FROM fleets f WHERE f.next_due_ms <= ?
  UNION ALL SELECT 'firing', f.service_id, f.owner_id, f.trigger_id, f.firing_key FROM fleets f WHERE f.trigger_id IS NOT NULL`;

/** Fleets whose summary may differ, of enabled accounts; not those written after `writtenMs`. */
export async function findDueFleets(connection: Connection, nowMs: number, writtenMs: number): Promise<DueFleet[]> {
  const [rows] = await connection.query<RowDataPacket[]>(CANDIDATES, [nowMs]);
  const isFiring = await changedFiring(
    connection,
    rows.filter(({ why }) => why === 'firing'),
  );
  const ids = new Set(rows.filter((row) => row.why !== 'firing' || isFiring(row)).map(({ id }) => Number(id)));
  if (ids.size === 0) return [];
  const [fleets] = await connection.query<RowDataPacket[]>(
    `SELECT f.service_id AS id, f.owner_id AS ownerId, f.written_ms AS writtenMs, ${IS_ENABLED} AS isEnabled
     FROM fleets f WHERE f.service_id IN (?)`,
    [[...ids]],
  );
  for (const { id } of fleets) ids.delete(Number(id));
  // Passes may note changes for a fleet that was just deleted.
  if (ids.size > 0) await connection.query('DELETE FROM fleet_changes WHERE service_id IN (?)', [[...ids]]);
  return fleets
    .filter((row) => row.isEnabled && Number(row.writtenMs) <= writtenMs)
    .map(({ id, ownerId }) => ({ id: Number(id), ownerId: Number(ownerId) }));
}

async function changedFiring(connection: Connection, rows: readonly RowDataPacket[]) {
  const owners = new Set(rows.map(({ ownerId }) => Number(ownerId)));
  const triggers = new Set(rows.map(({ triggerId }) => Number(triggerId)));
  const keys = await readFiringKeys(connection, [...owners], [...triggers]);
  return (row: RowDataPacket) => row.firingKey !== (keys.get(Number(row.triggerId)) ?? '');
}
