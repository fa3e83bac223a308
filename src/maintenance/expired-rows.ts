import type { Pool, ResultSetHeader } from 'mysql2/promise';
import type { Clock } from '../clock';
import type { PurgeStep, PurgeTask } from './purge-task';

const ROWS_PER_STEP = 2_000;

/** Tables of what ends by itself, with an index over `expires_ms`. */
export type ExpiringTable = 'authorizations' | 'oauth1_tokens' | 'oauth1_nonces' | 'oauth2_grants' | 'oauth2_tokens';

/** Deletes what has expired: it is of no use any more. */
export class ExpiredRows implements PurgeTask {
  readonly name: string;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly table: ExpiringTable,
  ) {
    this.name = `expired-${table.replaceAll('_', '-')}`;
  }

  async step(): Promise<PurgeStep> {
    const sql = `DELETE FROM ${this.table} WHERE expires_ms < ? LIMIT ?`;
    const [result] = await this.pool.query<ResultSetHeader>(sql, [this.clock.now(), ROWS_PER_STEP]);
    const deleted = result.affectedRows;
    return { deleted, position: 0, isDone: deleted < ROWS_PER_STEP };
  }
}
