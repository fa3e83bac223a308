import type { Pool, RowDataPacket } from 'mysql2/promise';
import { nextPage, type Removal, type RemovalPage } from '../../storage/removal';
import { deleteDeliveries } from './delivery-rows';

const DELIVERIES_PER_STEP = 500;

/** Removes some deliveries of a closed account. Call it until the outcome is `done`. */
export async function removeDeliveriesOf(pool: Pool, ownerId: number, nowMs: number): Promise<Removal> {
  const ids = await idsOf(pool, 'owner_id = ?', [ownerId]);
  return ids.length === 0 ? { deleted: 0, outcome: 'done' } : removeFree(pool, ids, nowMs);
}

/** Leaves ends that are still being delivered. If it found none, returns the firings without deliveries. */
export async function removeDeliveriesOfFirings(
  pool: Pool,
  firingIds: readonly number[],
  nowMs: number,
): Promise<Removal | { free: number[] }> {
  const ids = await idsOf(pool, "firing_id IN (?) AND NOT (kind = 'end' AND status = 'pending')", [firingIds]);
  if (ids.length > 0) return removeFree(pool, ids, nowMs);
  const [rows] = await pool.query<RowDataPacket[]>('SELECT firing_id AS id FROM deliveries WHERE firing_id IN (?)', [
    firingIds,
  ]);
  const kept = new Set(rows.map(({ id }) => Number(id)));
  return { free: firingIds.filter((id) => !kept.has(id)) };
}

/** The first page without an old delivery ends the run. A later run finds the skipped pending deliveries. */
export async function removeOldDeliveries(pool: Pool, position: number, beforeMs: number): Promise<RemovalPage> {
  const [page] = await pool.query<RowDataPacket[]>(
    `SELECT id, status, created_ms < ? AS isOld, COALESCE(finished_ms, created_ms) < ? AS hasEndedLongAgo FROM deliveries
     WHERE id > ? ORDER BY id LIMIT ?`,
    [beforeMs, beforeMs, position, DELIVERIES_PER_STEP],
  );
  const ended = page.filter(({ status, hasEndedLongAgo }) => status !== 'pending' && hasEndedLongAgo);
  const ids = ended.map(({ id }) => Number(id));
  const { deleted, isComplete } = await deleteDeliveries(pool, ids);
  if (!isComplete) return { deleted, position, isDone: false };
  return { deleted, ...nextPage(page, DELIVERIES_PER_STEP) };
}

async function idsOf(pool: Pool, where: string, values: unknown[]): Promise<number[]> {
  const sql = `SELECT id FROM deliveries WHERE ${where} LIMIT ?`;
  const [rows] = await pool.query<RowDataPacket[]>(sql, [...values, DELIVERIES_PER_STEP]);
  return rows.map(({ id }) => Number(id));
}

/** A delivery that a worker attempts must wait for the record of the attempt. */
async function removeFree(pool: Pool, ids: readonly number[], nowMs: number): Promise<Removal> {
  const { deleted } = await deleteDeliveries(pool, ids, { leaselessAtMs: nowMs });
  return { deleted, outcome: deleted > 0 ? 'more' : 'wait' };
}
