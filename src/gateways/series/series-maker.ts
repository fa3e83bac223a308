import type { ResultSetHeader } from 'mysql2';
import { metatagsAmong, valueKey } from '../../access/metatags';
import { markNewSensors } from '../../access/own-sensor-counts';
import { type Act, actAs, noteChange } from '../../audit';
import { raiseEvents } from '../../events/event-log';
import { Unauthorized } from '../../platform/errors';
import type { TransactionConnection } from '../../storage/pipeline';
import { issueSlices } from '../../storage/slices';
import { runOn } from '../../storage/transaction';
import { type Series, unitsOf } from '../protocols/series';
import { findSeries } from './series-names';

const MAX_TITLE = 255;

export interface SeriesMaker {
  by: string;
  limit: number;
}

export type WantedSeries = ReadonlyMap<string, Series>;

export interface FoundSeries {
  sensors: ReadonlyMap<Series, number>;
  eventUsers: readonly number[];
}

/**
 * Makes missing sensors in the transaction of the points. Locks the user's row first, so that several processes make a
 * sensor once. Leaves series out beyond the maker's limit.
 */
export async function findOrMakeSeries(
  connection: TransactionConnection,
  ownerId: number,
  { wanted, maker, nowMs }: { wanted: WantedSeries; maker: SeriesMaker | undefined; nowMs: number },
): Promise<FoundSeries> {
  const run = runOn(connection);
  const [user] = await run('SELECT id FROM users WHERE id = ? AND closed_ms IS NULL FOR UPDATE', [ownerId]);
  if (!user) throw new Unauthorized('the account was closed');
  const known = await findSeries(run, ownerId, [...wanted.keys()]);
  const sensors = new Map<Series, number>();
  const missing: [hash: string, Series][] = [];
  for (const [hash, series] of wanted) {
    const sensorId = known.get(hash);
    if (sensorId === undefined) missing.push([hash, series]);
    else sensors.set(series, sensorId);
  }
  if (missing.length === 0 || !maker) return { sensors, eventUsers: [] };
  const [made] = await run('SELECT COUNT(*) AS total FROM series WHERE owner_id = ? AND made_by = ?', [
    ownerId,
    maker.by,
  ]);
  const some = missing.slice(0, Math.max(0, maker.limit - Number(made?.total)));
  if (some.length === 0) return { sensors, eventUsers: [] };
  const ids = await insertSensors(connection, ownerId, some, nowMs);
  const placed = some.map(([hash, series], index) => ({ hash, series, sensorId: ids[index] ?? 0 }));
  await insertNames(connection, ownerId, { placed, madeBy: maker.by, nowMs });
  noteMade(connection, ids, {
    ...actorOf(maker),
    userId: ownerId,
    address: null,
    action: 'makeSensors',
    dateMs: nowMs,
  });
  const added = ids.map((subjectId) => ({ name: 'add_sensor' as const, subjectId, userId: ownerId }));
  const eventUsers = await raiseEvents(run, added, nowMs);
  await markNewSensors(run, ownerId);
  for (const { series, sensorId } of placed) sensors.set(series, sensorId);
  return { sensors, eventUsers };
}

const ACTORS = { user: 'session', key: 'key', application: 'application', mqtt: 'mqtt_source' } as const;

function actorOf({ by }: SeriesMaker): Pick<Act, 'byKind' | 'byId'> {
  const [kind = 'user', id] = by.split(':');
  return { byKind: ACTORS[kind as keyof typeof ACTORS], byId: id === undefined ? null : Number(id) }; // makers have these kinds
}

/** One record for all of an upload. */
function noteMade(connection: TransactionConnection, ids: readonly number[], act: Act & { userId: number }): void {
  const made = { kind: 'series', id: null, owner: act.userId, fields: new Map() };
  actAs(act, () => {
    for (const id of ids) noteChange(connection, { ...made, item: { list: 'sensors', text: String(id), is: 'added' } });
  });
}

interface PlacedSeries {
  hash: string;
  series: Series;
  sensorId: number;
}

/** One statement each: a single one would not return all ids. */
async function insertSensors(
  connection: TransactionConnection,
  ownerId: number,
  missing: readonly (readonly [string, Series])[],
  nowMs: number,
): Promise<number[]> {
  const results = await Promise.all(
    missing.map(([, series]) => {
      const { title, source, dataType } = series;
      const { unit, fieldUnits } = unitsOf(series);
      const row = [ownerId, cut(title), source, dataType, '', unit, fieldUnits, nowMs];
      return connection.query<ResultSetHeader>(
        `INSERT INTO sensors (owner_id, name, device_type, data_type, data_structure, unit, field_units, created_ms)
         VALUES (?)`,
        [row],
      );
    }),
  );
  return results.map(([{ insertId }]) => insertId);
}

async function insertNames(
  connection: TransactionConnection,
  ownerId: number,
  { placed, madeBy, nowMs }: { placed: readonly PlacedSeries[]; madeBy: string; nowMs: number },
): Promise<void> {
  const names = placed.map(({ hash, series: { namespace, name, source }, sensorId }) => [
    ...[ownerId, hash, namespace, name, source, sensorId, madeBy, nowMs],
  ]);
  const metatags = placed.flatMap(({ series: { namespace, tags }, sensorId }) =>
    [...metatagsAmong(tags)].flatMap(([name, values]) =>
      values.map((value, position) => [
        ...[sensorId, namespace, name, position, ownerId, JSON.stringify(value), valueKey(value)],
      ]),
    ),
  );
  const columns = 'owner_id, hash, namespace, name, source, sensor_id, made_by, created_ms';
  await issueSlices(names, (slice) => connection.query(`INSERT INTO series (${columns}) VALUES ?`, [slice]));
  await issueSlices(metatags, (slice) =>
    connection.query(
      'INSERT INTO metatags (sensor_id, namespace, name, position, owner_id, value, value_key) VALUES ?',
      [slice],
    ),
  );
}

function cut(title: string): string {
  return [...title].slice(0, MAX_TITLE).join('');
}
