import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { partsOf } from '../../platform/parts-of';
import { issueSlices } from '../../storage/slices';
import { inPoolTransaction } from '../../storage/transaction';
import type { StreamPosition } from './stream-position';

export type TopicKind = 'sensor' | 'firings';

export interface Change {
  kind: TopicKind;
  thingId: number;
  items: readonly number[];
}

export interface SequencedChange extends Change {
  round: number;
  id: number;
}

/** A stream reads whole rows. */
const ITEMS_PER_ROW = 100;
const ROWS_PER_ROUND = 1_000;

/** Call it in the transaction of the changes. Their order is decided after the commit. */
export async function appendChanges(
  connection: PoolConnection,
  arrivals: readonly Change[],
  nowMs: number,
): Promise<void> {
  const rows = arrivals.flatMap(({ kind, thingId, items }) =>
    partsOf(items, ITEMS_PER_ROW).map((part) => [kind, thingId, part.join(), part.length, nowMs]),
  );
  await issueSlices(rows, (slice) =>
    connection.query('INSERT INTO change_log (kind, thing_id, items, item_count, created_ms) VALUES ?', [slice]),
  );
}

/**
 * Gives committed changes a round: in the order of ids, a change could appear before changes that were already read. A
 * round gets its number after the previous one was committed, in any process. Returns the latest round.
 */
export async function sequenceChanges(pool: Pool): Promise<number> {
  for (;;) {
    const [[state]] = await pool.query<RowDataPacket[]>(
      `SELECT batch_no AS latest, EXISTS (SELECT 1 FROM change_log WHERE batch_no IS NULL) AS waits
       FROM stream_head WHERE id = 1`,
    );
    if (!state?.waits) return Number(state?.latest ?? 0);
    const { round, rows } = await inPoolTransaction(pool, takeRound);
    if (rows < ROWS_PER_ROUND) return round;
  }
}

async function takeRound(connection: PoolConnection): Promise<{ round: number; rows: number }> {
  const round = await nextRound(connection);
  // Reads committed data without waiting: running uploads are in a later round.
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT id FROM change_log WHERE batch_no IS NULL ORDER BY id LIMIT ?',
    [ROWS_PER_ROUND],
  );
  if (rows.length > 0) {
    const ids = rows.map(({ id }) => Number(id));
    await connection.query('UPDATE change_log SET batch_no = ? WHERE id IN (?)', [round, ids]);
  }
  return { round, rows: rows.length };
}

export function endOf({ round, id, items }: SequencedChange): StreamPosition {
  return { round, id, index: items.length };
}

/** Others wait until the transaction ends. */
export async function nextRound(connection: PoolConnection): Promise<number> {
  await connection.query<ResultSetHeader>('UPDATE stream_head SET batch_no = batch_no + 1 WHERE id = 1');
  const [[head]] = await connection.query<RowDataPacket[]>('SELECT batch_no AS round FROM stream_head WHERE id = 1');
  return Number(head?.round);
}

/** In order. The first change may have been seen in part, or completely. */
export async function readChangesAfter(
  pool: Pick<Pool, 'query'>,
  { round, id }: StreamPosition,
  limit: number,
  topics?: { kind: TopicKind; thingIds: readonly number[] },
): Promise<SequencedChange[]> {
  const where = topics ? 'kind = ? AND thing_id IN (?) AND' : '';
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT id, batch_no AS round, kind, thing_id AS thingId, items FROM change_log
     WHERE ${where} batch_no >= ? AND (batch_no > ? OR id >= ?) ORDER BY batch_no, id LIMIT ?`,
    [...(topics ? [topics.kind, topics.thingIds] : []), round, round, id, limit],
  );
  return rows.map((row) => ({
    id: Number(row.id),
    round: Number(row.round),
    kind: row.kind,
    thingId: Number(row.thingId),
    items: String(row.items).split(',').map(Number),
  }));
}
