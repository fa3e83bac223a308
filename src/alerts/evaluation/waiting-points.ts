import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { FairShareScheduler } from '../../fairness/fair-share-scheduler';
import { type InboxBatch, type PassScope, pointKey, readBatches, StalePass, type WaitingPoint } from '../../points';

const POINTS_PER_PASS = 2_500;
/** If more batches wait, only those below the byte limit are read. */
const FEW_BATCHES = 16;
const BYTES_PER_PASS = 2_000_000;
/** Maximum number of batches of one owner in one pass. */
const BATCHES_PER_OWNER = 500;
const OWNERS_PER_PASS = 20;
/** Only their sensors are read. */
const BATCHES_PER_LOOK = 1_000;

export interface Waiting {
  points: WaitingPoint[];
  batches: InboxBatch[];
  /** Owners with more waiting points than `points` holds. */
  unreadOwnerIds: number[];
  /** `points` holds everything that waits, read by one statement. */
  isAll: boolean;
}

/** Reads the oldest points. If many wait, owners get equal parts, and never more than they can afford. */
export async function readWaiting(
  connection: PoolConnection,
  scope: PassScope,
  shares: FairShareScheduler,
): Promise<Waiting> {
  if (scope.sensorId !== undefined) return readWaitingOf(connection, scope, scope.sensorId, shares);
  const { partitions, mostPoints = POINTS_PER_PASS } = scope;
  const owners = ownersOf(scope);
  const few = await readBatches(connection, `partition_no IN (?)${owners.sql} ORDER BY stored_ms, id LIMIT ?`, [
    partitions,
    ...owners.values,
    FEW_BATCHES,
  ]);
  if (few.length < FEW_BATCHES) return withinShares(few, shares);
  const waiting = await readOwners(connection, scope);
  const able = waiting.filter((ownerId) => shares.rowsFor(ownerId) > 0);
  const first = able.sort((a, b) => shares.usedMs(a) - shares.usedMs(b)).slice(0, OWNERS_PER_PASS);
  const taken = { points: [] as WaitingPoint[], batches: [] as InboxBatch[] };
  const unread = new Set(waiting);
  for (const ownerId of first) {
    const affordable = shares.rowsFor(ownerId, { isAlone: waiting.length === 1 });
    const most = Math.min(affordable, Math.floor(mostPoints / first.length));
    const share = { most, bytes: BYTES_PER_PASS / first.length };
    const part = await readPart(connection, { partitions, ownerId, known: few }, share);
    taken.points.push(...part.points);
    taken.batches.push(...part.batches);
    if (!part.hasMore) unread.delete(ownerId);
  }
  return { ...taken, unreadOwnerIds: [...unread], isAll: false };
}

export async function readWaitingSensors(connection: Pick<PoolConnection, 'query'>, partition: number) {
  const sensors = new Set<number>();
  for await (const { sensorIds } of eachBatch(connection, [partition])) for (const id of sensorIds) sensors.add(id);
  return sensors;
}

/** Null if there are too many batches to read. */
export async function readWaitingSensorsOf(
  connection: Pick<Pool, 'query'>,
  partitions: readonly number[],
  ownerIds: readonly number[],
) {
  const sensors = new Set<number>();
  let batches = 0;
  for await (const { sensorIds } of eachBatch(connection, partitions, ownerIds)) {
    batches += 1;
    if (batches >= BATCHES_PER_LOOK) return null;
    for (const id of sensorIds) sensors.add(id);
  }
  return sensors;
}

/** For few batches: takes the oldest points that each owner can afford. */
function withinShares(batches: InboxBatch[], shares: FairShareScheduler): Waiting {
  const left = new Map<number, number>();
  const unread = new Set<number>();
  const points: WaitingPoint[] = [];
  const isAlone = batches.every(({ ownerId }) => ownerId === batches[0]?.ownerId);
  for (const batch of batches) {
    const { ownerId } = batch;
    const most = left.get(ownerId) ?? shares.rowsFor(ownerId, { isAlone });
    const part = batch.points.length <= most ? batch.points : batch.points.slice(0, most);
    left.set(ownerId, most - part.length);
    points.push(...part);
    if (part.length < batch.points.length) unread.add(ownerId);
  }
  return { points, batches, unreadOwnerIds: [...unread], isAll: unread.size === 0 };
}

/** One index lookup per owner with a waiting batch. */
export async function readOwners(connection: Pick<Pool, 'query'>, scope: PassScope): Promise<number[]> {
  const owners = ownersOf(scope);
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT DISTINCT owner_id AS ownerId FROM inbox_batches WHERE partition_no IN (?)${owners.sql} ORDER BY owner_id`,
    [scope.partitions, ...owners.values],
  );
  return rows.map((row) => Number(row.ownerId));
}

function ownersOf({ ownerIds, exceptOwnerIds = [] }: PassScope): { sql: string; values: unknown[] } {
  if (ownerIds) return { sql: ' AND owner_id IN (?)', values: [ownerIds] };
  return exceptOwnerIds.length === 0
    ? { sql: '', values: [] }
    : { sql: ' AND owner_id NOT IN (?)', values: [exceptOwnerIds] };
}

/** Does not read `known` batches again. Takes at least one point, so that passes make progress. */
async function readPart(
  connection: PoolConnection,
  { partitions, ownerId, known }: { partitions: readonly number[]; ownerId: number; known: readonly InboxBatch[] },
  share: { most: number; bytes: number },
): Promise<{ points: WaitingPoint[]; batches: InboxBatch[]; hasMore: boolean }> {
  const most = Math.max(1, share.most);
  const [sizes] = await connection.query<RowDataPacket[]>(
    `SELECT id, points, bytes FROM inbox_batches WHERE partition_no IN (?) AND owner_id = ?
     ORDER BY stored_ms, id LIMIT ?`,
    [partitions, ownerId, BATCHES_PER_OWNER],
  );
  const ids: number[] = [];
  let [points, bytes] = [0, 0];
  for (const row of sizes) {
    if (points >= most || (ids.length > 0 && bytes + Number(row.bytes) > share.bytes)) break;
    points += Number(row.points);
    bytes += Number(row.bytes);
    ids.push(Number(row.id));
  }
  if (ids.length === 0) return { points: [], batches: [], hasMore: false };
  const batches = await readOthers(connection, ids, known);
  const taken = batches.flatMap((batch) => batch.points).slice(0, most);
  const isCut = points > taken.length || ids.length < sizes.length;
  return { points: taken, batches, hasMore: isCut || sizes.length === BATCHES_PER_OWNER };
}

async function readOthers(
  connection: PoolConnection,
  ids: readonly number[],
  known: readonly InboxBatch[],
): Promise<InboxBatch[]> {
  const found = new Map(known.map((batch) => [batch.id, batch]));
  const others = ids.filter((id) => !found.has(id));
  const read = others.length === 0 ? [] : await readBatches(connection, 'id IN (?)', [others]);
  for (const batch of read) found.set(batch.id, batch);
  return ids.flatMap((id) => found.get(id) ?? []);
}

async function readWaitingOf(
  connection: PoolConnection,
  { partitions, mostPoints = POINTS_PER_PASS, oldestPoint }: PassScope,
  sensorId: number,
  shares: FairShareScheduler,
): Promise<Waiting> {
  const taken: Waiting = { points: [], batches: [], unreadOwnerIds: [], isAll: false };
  let most = mostPoints;
  for (const { id, ownerId } of await batchesOf(connection, partitions, sensorId)) {
    most = Math.min(most, Math.max(1, shares.rowsFor(ownerId)));
    if (taken.points.length >= most || taken.batches.length >= FEW_BATCHES) {
      taken.unreadOwnerIds.push(ownerId);
      break;
    }
    for (const batch of await readBatches(connection, 'id = ?', [id])) {
      taken.batches.push(batch);
      taken.points.push(...batch.points.filter((point) => point.sensorId === sensorId));
    }
  }
  const isCut = taken.points.length > most;
  const [first] = taken.points;
  if (oldestPoint !== undefined && oldestPoint !== (first ? pointKey(first) : null)) {
    throw new StalePass(`the oldest point of sensor ${sensorId} was handled by another pass`);
  }
  if (isCut && first) taken.unreadOwnerIds = [first.ownerId];
  return { ...taken, points: taken.points.slice(0, most) };
}

/** `pointKey` of the oldest point that waits for a sensor, or null. */
export async function readOldestPoint(
  pool: Pick<Pool, 'query'>,
  partitions: readonly number[],
  sensorId: number,
): Promise<string | null> {
  for (const { id } of await batchesOf(pool, partitions, sensorId)) {
    for (const { points } of await readBatches(pool, 'id = ?', [id])) {
      const oldest = points.find((point) => point.sensorId === sensorId);
      if (oldest) return pointKey(oldest);
    }
  }
  return null;
}

async function batchesOf(connection: Pick<Pool, 'query'>, partitions: readonly number[], sensorId: number) {
  const own: { id: number; ownerId: number; storedMs: number }[] = [];
  for await (const { sensorIds, ...batch } of eachBatch(connection, partitions)) {
    if (sensorIds.includes(sensorId)) own.push(batch);
  }
  // A batch that was moved to another partition has a later id than batches that were stored after it.
  return own.sort((a, b) => a.storedMs - b.storedMs || a.id - b.id);
}

/** Leaves out the content; reads in chunks. */
async function* eachBatch(
  connection: Pick<PoolConnection, 'query'>,
  partitions: readonly number[],
  ownerIds?: readonly number[],
): AsyncGenerator<{ id: number; ownerId: number; storedMs: number; sensorIds: number[] }> {
  const owners = ownerIds ? 'AND owner_id IN (?)' : '';
  for (let afterId = 0; ; ) {
    const [rows] = await connection.query<RowDataPacket[]>(
      `SELECT id, owner_id AS ownerId, stored_ms AS storedMs, sensor_ids AS sensorIds FROM inbox_batches
       WHERE partition_no IN (?) ${owners} AND id > ? ORDER BY id LIMIT ?`,
      [partitions, ...(ownerIds ? [ownerIds] : []), afterId, BATCHES_PER_LOOK],
    );
    for (const { id, ownerId, storedMs, sensorIds } of rows) {
      const batch = { id: Number(id), ownerId: Number(ownerId), storedMs: Number(storedMs) };
      yield { ...batch, sensorIds: JSON.parse(sensorIds) };
    }
    if (rows.length < BATCHES_PER_LOOK) return;
    afterId = Number(rows.at(-1)?.id);
  }
}
