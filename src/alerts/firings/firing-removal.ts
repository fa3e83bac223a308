import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { removeDeliveriesOfFirings } from '../../notifications';
import { nextPage, type Removal, type RemovalPage } from '../../storage/removal';

const FIRINGS_PER_STEP = 200;
const OLD_FIRINGS_PER_STEP = 1_000;

/**
 * Removes some firings of a deleted sensor or trigger, after their deliveries, because the firings are needed to find
 * the deliveries. The end of an episode that is still being delivered keeps its firing until then.
 */
export async function removeFirings(
  pool: Pool,
  { column, id }: { column: 'sensor_id' | 'trigger_id'; id: number },
  nowMs: number,
): Promise<Removal> {
  const sql = `SELECT id FROM firings WHERE ${column} = ? LIMIT ?`;
  const [rows] = await pool.query<RowDataPacket[]>(sql, [id, FIRINGS_PER_STEP]);
  if (rows.length === 0) return { deleted: 0, outcome: 'done' };
  const ids = rows.map((row) => Number(row.id));
  const removal = await removeDeliveriesOfFirings(pool, ids, nowMs);
  if (!('free' in removal)) return removal;
  if (removal.free.length === 0) return { deleted: 0, outcome: 'wait' };
  return { deleted: await deleteFirings(pool, removal.free), outcome: 'more' };
}

/** Removes some firings of a closed account, whose deliveries are gone. */
export async function removeFiringsOf(pool: Pool, ownerId: number, most: number): Promise<Removal> {
  const [result] = await pool.query<ResultSetHeader>('DELETE FROM firings WHERE owner_id = ? LIMIT ?', [ownerId, most]);
  return { deleted: result.affectedRows, outcome: result.affectedRows > 0 ? 'more' : 'done' };
}

/**
 * Removes a page of firings before a date. The first firing of an episode holds the state of the episode: it is kept
 * while the episode lasts, and as long as any other of its firings may exist.
 */
export async function removeOldFirings(pool: Pool, position: number, beforeMs: number): Promise<RemovalPage> {
  const [page] = await pool.query<RowDataPacket[]>(
    `SELECT id, fired_ms < ? AS isOld, is_lasting = FALSE AND COALESCE(ended_ms, fired_ms) < ? AS isOver
     FROM firings WHERE id > ? ORDER BY id LIMIT ?`,
    [beforeMs, beforeMs, position, OLD_FIRINGS_PER_STEP],
  );
  const ids = page.filter(({ isOld, isOver }) => isOld && isOver).map(({ id }) => Number(id));
  const deleted = ids.length === 0 ? 0 : await deleteFirings(pool, ids);
  return { deleted, ...nextPage(page, OLD_FIRINGS_PER_STEP) };
}

async function deleteFirings(pool: Pool, ids: readonly number[]): Promise<number> {
  const [result] = await pool.query<ResultSetHeader>('DELETE FROM firings WHERE id IN (?)', [ids]);
  return result.affectedRows;
}
