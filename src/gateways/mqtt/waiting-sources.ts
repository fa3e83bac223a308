import type { Pool, RowDataPacket } from 'mysql2/promise';

export const WAITS_FOR_PLACE =
  'waits for a place: all connections of the workers are taken, and its owner has an equal share of them. More workers have more places';
/** Workers take a source within this time if there is a place. */
const TAKEN_WITHIN_MS = 3_000;

export interface WaitingSource {
  id: number;
  ownerId: number;
  share: number;
}

/** Sources without a worker that may be connected. */
export class WaitingSources {
  constructor(private readonly pool: Pool) {}

  /** Counts by owner, on all workers. */
  async places(nowMs: number): Promise<Map<number, number>> {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      'SELECT owner_id AS ownerId, COUNT(*) AS places FROM mqtt_sources WHERE leased_until_ms >= ? AND enabled GROUP BY owner_id',
      [nowMs],
    );
    return new Map(rows.map(({ ownerId, places }) => [Number(ownerId), Number(places)]));
  }

  /** Smallest share first; then those that had a place last. */
  async next(limit: number, nowMs: number): Promise<WaitingSource[]> {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT w.id, w.ownerId, w.nth + COALESCE(h.places, 0) AS share
       FROM (SELECT s.id, s.owner_id AS ownerId, s.leased_until_ms AS leasedMs, s.next_try_ms AS tryMs,
               ROW_NUMBER() OVER (PARTITION BY s.owner_id ORDER BY s.leased_until_ms DESC, s.next_try_ms, s.id) AS nth
             FROM mqtt_sources s JOIN users u ON u.id = s.owner_id AND u.closed_ms IS NULL AND u.disabled_ms IS NULL
             WHERE s.enabled AND s.leased_until_ms < ? AND s.next_try_ms <= ?) w
       LEFT JOIN (SELECT owner_id AS ownerId, COUNT(*) AS places FROM mqtt_sources
                  WHERE enabled AND leased_until_ms >= ? GROUP BY owner_id) h ON h.ownerId = w.ownerId
       ORDER BY share, w.leasedMs DESC, w.tryMs, w.id LIMIT ?`,
      [nowMs, nowMs, nowMs, limit],
    );
    return rows.map(({ id, ownerId, share }) => ({ id: Number(id), ownerId: Number(ownerId), share: Number(share) }));
  }

  /** Sources that have waited for longer than workers need. */
  async report(nowMs: number): Promise<void> {
    await this.pool.query(
      `UPDATE mqtt_sources SET state = 'connecting', last_error = ?
       WHERE enabled AND leased_until_ms < ? AND next_try_ms < ? AND last_error <> ?`,
      [WAITS_FOR_PLACE, nowMs - TAKEN_WITHIN_MS, nowMs - TAKEN_WITHIN_MS, WAITS_FOR_PLACE],
    );
  }
}
