import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { issueSlices } from '../../storage/slices';
import { inPoolTransaction } from '../../storage/transaction';
import { BATCH_COLUMNS, BatchBuilder, type InboxBatch, pack, unpack, type WaitingPoint } from './inbox-batch';
import { LayoutChanged, lockPartitions } from './partition-layout';

const BATCHES_PER_STEP = 20;
/** Not `<>`, for which MariaDB does not use the index. */
const MISPLACED = 'partition_count < ? OR partition_count > ?';

/** Another pass of the partition is running and has changed rows: this one must end. */
export class StalePass extends Error {}

/** Batches of another partition count must be moved before any pass. */
export class MisplacedBatches extends Error {}

export async function insertBatches(connection: PoolConnection, builder: BatchBuilder, storedMs: number) {
  await issueSlices(builder.rows(storedMs), (slice) =>
    connection.query(`INSERT INTO inbox_batches (${BATCH_COLUMNS}) VALUES ?`, [slice]),
  );
}

export async function readBatches(
  connection: Pick<PoolConnection, 'query'>,
  condition: string,
  values: readonly unknown[],
): Promise<InboxBatch[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT id, owner_id AS ownerId, stored_ms AS storedMs, content FROM inbox_batches WHERE ${condition}`,
    [...values],
  );
  return rows.map(({ id, ownerId, storedMs, content }) => {
    return { id: Number(id), ownerId: Number(ownerId), points: unpack(Number(ownerId), Number(storedMs), content) };
  });
}

/** Other points of a batch stay. Throws StalePass if another pass has handled a row. */
export async function removeHandled(
  connection: PoolConnection,
  batches: readonly InboxBatch[],
  handled: readonly WaitingPoint[],
): Promise<void> {
  const count = batches.reduce((sum, { points }) => sum + points.length, 0);
  const all = handled.length === count ? null : new Set(handled);
  const done: number[] = [];
  for (const { id, points } of batches) {
    const left = all === null ? [] : points.filter((point) => !all.has(point));
    if (left.length === 0) done.push(id);
    else if (left.length < points.length) await keep(connection, id, left);
  }
  if (done.length === 0) return;
  await remove(connection, done);
}

/**
 * One statement: a pass may have hundreds of batches. With `IN`, MariaDB reads a small table whole, and waits for rows
 * that the pass of another partition has deleted; an index hint changes nothing.
 */
async function remove(connection: PoolConnection, ids: readonly number[]): Promise<void> {
  const list = `SELECT ? AS id${' UNION ALL SELECT ?'.repeat(ids.length - 1)}`;
  const [{ affectedRows }] = await connection.query<ResultSetHeader>(
    `DELETE b FROM (${list}) done STRAIGHT_JOIN inbox_batches b ON b.id = done.id`,
    [...ids],
  );
  needRows({ affectedRows }, ids.length);
}

async function keep(connection: PoolConnection, id: number, points: readonly WaitingPoint[]): Promise<void> {
  const { content, sensorIds } = pack(points);
  const [result] = await connection.query<ResultSetHeader>(
    'UPDATE inbox_batches SET points = ?, bytes = ?, sensor_ids = ?, content = ? WHERE id = ?',
    [points.length, content.length, sensorIds, content, id],
  );
  needRows(result, 1);
}

function needRows({ affectedRows }: Pick<ResultSetHeader, 'affectedRows'>, count: number): void {
  if (affectedRows !== count) throw new StalePass(`${count - affectedRows} batches were handled by another pass`);
}

export async function requirePlaced(connection: PoolConnection, partitionCount: number): Promise<void> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT id FROM inbox_batches WHERE ${MISPLACED} ORDER BY partition_count LIMIT 1`,
    [partitionCount, partitionCount],
  );
  if (rows.length > 0) throw new MisplacedBatches(`batch ${rows[0]?.id} is not of ${partitionCount} partitions`);
}

/**
 * Moves some batches after a change of the partition count. Returns partitions that got points. Ends when the count
 * changes again: processes with the newer count move the rest.
 */
export async function repartitionInbox(pool: Pool, partitionCount: number): Promise<Set<number>> {
  const moved = new Set<number>();
  for (let afterId = 0; ; ) {
    const [rows] = await pool.query<RowDataPacket[]>(
      `SELECT id FROM inbox_batches WHERE (${MISPLACED}) AND id > ? ORDER BY id LIMIT ?`,
      [partitionCount, partitionCount, afterId, BATCHES_PER_STEP],
    );
    const ids = rows.map(({ id }) => Number(id));
    if (ids.length === 0) return moved;
    try {
      for (const partition of await repartition(pool, ids, partitionCount)) moved.add(partition);
    } catch (error) {
      if (error instanceof LayoutChanged) return moved;
      throw error;
    }
    afterId = ids.at(-1) ?? 0;
  }
}

/**
 * Locks the target partitions: a running pass that has read their points must not find later that all batches are
 * placed. It would handle newer points first.
 */
function repartition(pool: Pool, ids: readonly number[], partitionCount: number): Promise<Set<number>> {
  return inPoolTransaction(pool, async (connection) => {
    // Another process may have moved some of them.
    const batches = await readBatches(connection, 'id IN (?) ORDER BY id FOR UPDATE', [ids]);
    const moved = new Set<number>();
    const builders = batches.map(({ ownerId, points }) => {
      const builder = new BatchBuilder(partitionCount);
      for (const point of points) builder.add(ownerId, point.sensorId, point, point.receivedMs);
      for (const partition of builder.partitions) moved.add(partition);
      return { builder, storedMs: points[0]?.storedMs ?? 0 };
    });
    if (batches.length === 0) return moved;
    await lockPartitions(connection, [...moved], partitionCount);
    for (const { builder, storedMs } of builders) await insertBatches(connection, builder, storedMs);
    await remove(
      connection,
      batches.map(({ id }) => id),
    );
    return moved;
  });
}
