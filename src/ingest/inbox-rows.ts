import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { slices } from '../database/slices';
import { inPoolTransaction } from '../database/transaction';
import { BATCH_COLUMNS, BatchBuilder, type InboxBatch, pack, unpack } from './inbox-batch';
import type { WaitingPoint } from './waiting-point';

/** Batches looked at in one statement when all of an inbox is gone through. */
const BATCHES_PER_STEP = 100;

/** The rows of this turn changed under it: another turn of the partition is under way, and this one must end. */
export class StaleTurn extends Error {}

/** Appends batches to the inboxes of their partitions. */
export async function insertBatches(connection: PoolConnection, builder: BatchBuilder, storedMs: number) {
  for (const slice of slices(builder.rows(storedMs))) {
    await connection.query(`INSERT INTO inbox_batches (${BATCH_COLUMNS}) VALUES ?`, [slice]);
  }
}

/** Batches with their points, for a `condition` and order on `inbox_batches`. */
export async function readBatches(
  connection: PoolConnection,
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

/**
 * Removes the points that a turn has handled; whatever else a batch holds stays. StaleTurn when a row is not there any
 * more: then somebody else has handled it.
 */
export async function removeHandled(
  connection: PoolConnection,
  batches: readonly InboxBatch[],
  handled: readonly WaitingPoint[],
): Promise<void> {
  const all = new Set(handled);
  const done: number[] = [];
  for (const { id, points } of batches) {
    const left = points.filter((point) => !all.has(point));
    if (left.length === 0) done.push(id);
    else if (left.length < points.length) await keep(connection, id, left);
  }
  if (done.length === 0) return;
  const [result] = await connection.query<ResultSetHeader>('DELETE FROM inbox_batches WHERE id IN (?)', [done]);
  needRows(result, done.length);
}

async function keep(connection: PoolConnection, id: number, points: readonly WaitingPoint[]): Promise<void> {
  const { content, sensorIds } = pack(points);
  const [result] = await connection.query<ResultSetHeader>(
    'UPDATE inbox_batches SET points = ?, bytes = ?, sensor_ids = ?, content = ? WHERE id = ?',
    [points.length, content.length, sensorIds, content, id],
  );
  needRows(result, 1);
}

function needRows({ affectedRows }: ResultSetHeader, count: number): void {
  if (affectedRows !== count) throw new StaleTurn(`${count - affectedRows} batches were handled by another turn`);
}

/** Moves waiting points to where they belong after a change of the number of partitions, some batches at a time. */
export async function repartitionInbox(pool: Pool, partitionCount: number): Promise<void> {
  for (let afterId = 0; ; ) {
    const [rows] = await pool.query<RowDataPacket[]>(
      `SELECT id, partition_no AS partitionNo, sensor_ids AS sensorIds FROM inbox_batches
       WHERE id > ? ORDER BY id LIMIT ?`,
      [afterId, BATCHES_PER_STEP],
    );
    const misplaced = rows.filter(({ partitionNo, sensorIds }) =>
      JSON.parse(sensorIds).some((id: number) => id % partitionCount !== partitionNo),
    );
    for (const { id } of misplaced) await repartition(pool, Number(id), partitionCount);
    if (rows.length < BATCHES_PER_STEP) return;
    afterId = Number(rows.at(-1)?.id);
  }
}

function repartition(pool: Pool, id: number, partitionCount: number): Promise<void> {
  return inPoolTransaction(pool, async (connection) => {
    const [batch] = await readBatches(connection, 'id = ? FOR UPDATE', [id]);
    const [first] = batch?.points ?? [];
    if (!batch || !first) return; // another process has moved it
    const builder = new BatchBuilder(partitionCount);
    for (const point of batch.points) builder.add(batch.ownerId, point.sensorId, point, point.receivedMs);
    await insertBatches(connection, builder, first.storedMs);
    await connection.query('DELETE FROM inbox_batches WHERE id = ?', [id]);
  });
}
