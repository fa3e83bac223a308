import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../clock';

const POINTS_PER_PURGE = 10_000;
const PURGES_PER_RUN = 50;
const DAY_MS = 86_400_000;

/** Clears away what nobody can see any more. */
export class Purge {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly retentionDays: number,
  ) {}

  /** Removes points of deleted sensors and points past their keeping; returns how many went. Bounded per run. */
  async run(): Promise<number> {
    const [sensors] = await this.pool.query<RowDataPacket[]>('SELECT sensor_id FROM purges LIMIT ?', [PURGES_PER_RUN]);
    let removed = 0;
    for (const { sensor_id } of sensors) {
      const count = await this.remove('sensor_id = ?', [sensor_id]);
      removed += count;
      if (count < POINTS_PER_PURGE) await this.pool.query('DELETE FROM purges WHERE sensor_id = ?', [sensor_id]);
    }
    // A receiver that is still degraded after a day will fail again.
    await this.pool.query('DELETE FROM degraded_receivers WHERE since_ms < ?', [this.clock.now() - DAY_MS]);
    if (this.retentionDays > 0) {
      removed += await this.removeOlderThan(this.clock.now() - this.retentionDays * DAY_MS);
    }
    return removed;
  }

  /** Goes sensor by sensor, because the key begins with the sensor. */
  private async removeOlderThan(beforeMs: number): Promise<number> {
    const [sensors] = await this.pool.query<RowDataPacket[]>('SELECT id FROM sensors ORDER BY id');
    let removed = 0;
    for (const { id } of sensors) {
      removed += await this.remove('sensor_id = ? AND date_ms < ?', [id, beforeMs]);
    }
    return removed;
  }

  private async remove(where: string, values: unknown[]): Promise<number> {
    const [result] = await this.pool.query<ResultSetHeader>(`DELETE FROM data_points WHERE ${where} LIMIT ?`, [
      ...values,
      POINTS_PER_PURGE,
    ]);
    return result.affectedRows;
  }
}
