import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { partsOf } from '../rules/parts-of';
import type { StreamPosition } from '../rules/stream-position';
import { issueSlices } from '../storage/slices';
import { inPoolTransaction } from '../storage/transaction';

/** Data points of a sensor, or firings of a user's triggers. */
export type TopicKind = 'sensor' | 'firings';

/** What arrived: dates of data points in milliseconds, or ids of firings. */
export interface Change {
  kind: TopicKind;
  thingId: number;
  items: readonly number[];
}

/** An arrival with its place in the order of all of them. */
export interface SequencedChange extends Change {
  round: number;
  id: number;
}

/** Items of one row: a stream reads whole rows. */
const ITEMS_PER_ROW = 100;
const ROWS_PER_ROUND = 1_000;

/** Notes what this transaction brings to topics. Its order among other transactions is decided after its commit. */
export async function appendChanges(
  connection: PoolConnection,
  arrivals: readonly Change[],
  nowMs: number,
): Promise<void> {
  const rows = arrivals.flatMap(({ kind, thingId, items }) =>
    partsOf(items, ITEMS_PER_ROW).map((part) => [kind, thingId, part.join(), part.length, nowMs]),
  );
  await issueSlices(rows, (slice) =>
    connection.query('INSERT INTO stream_log (kind, thing_id, items, item_count, created_ms) VALUES ?', [slice]),
  );
}

/**
 * Puts committed arrivals in order, in rounds: ids are given before a commit, so by their order one could appear in front of
 * what has been read. A round has the next number only after the one before it was committed, in any process; what was
 * committed later is in a later round. Returns the number of the latest.
 */
export async function sequenceChanges(pool: Pool): Promise<number> {
  for (;;) {
    const [[state]] = await pool.query<RowDataPacket[]>(
      `SELECT round_no AS latest, EXISTS (SELECT 1 FROM stream_log WHERE round_no IS NULL) AS waits
       FROM stream_head WHERE id = 1`,
    );
    if (!state?.waits) return Number(state?.latest ?? 0);
    const { round, rows } = await inPoolTransaction(pool, takeRound);
    if (rows < ROWS_PER_ROUND) return round;
  }
}

async function takeRound(connection: PoolConnection): Promise<{ round: number; rows: number }> {
  const round = await nextRound(connection);
  // Reads what is committed now, and waits for nobody: uploads under way are in a later round.
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT id FROM stream_log WHERE round_no IS NULL ORDER BY id LIMIT ?',
    [ROWS_PER_ROUND],
  );
  if (rows.length > 0) {
    const ids = rows.map(({ id }) => Number(id));
    await connection.query('UPDATE stream_log SET round_no = ? WHERE id IN (?)', [round, ids]);
  }
  return { round, rows: rows.length };
}

/** The position behind all of an arrival. */
export function endOf({ round, id, items }: SequencedChange): StreamPosition {
  return { round, id, index: items.length };
}

/** Begins a round: others wait until the transaction ends. Returns its number. */
export async function nextRound(connection: PoolConnection): Promise<number> {
  await connection.query<ResultSetHeader>('UPDATE stream_head SET round_no = round_no + 1 WHERE id = 1');
  const [[head]] = await connection.query<RowDataPacket[]>('SELECT round_no AS round FROM stream_head WHERE id = 1');
  return Number(head?.round);
}

/** Arrivals behind a position, in order; of the topics, or of all where none are given. The first may have been seen in part, or whole. */
export async function readChangesAfter(
  pool: Pick<Pool, 'query'>,
  { round, id }: StreamPosition,
  limit: number,
  topics?: { kind: TopicKind; thingIds: readonly number[] },
): Promise<SequencedChange[]> {
  const where = topics ? 'kind = ? AND thing_id IN (?) AND' : '';
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT id, round_no AS round, kind, thing_id AS thingId, items FROM stream_log
     WHERE ${where} round_no >= ? AND (round_no > ? OR id >= ?) ORDER BY round_no, id LIMIT ?`,
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
