import type { Pool, ResultSetHeader } from 'mysql2/promise';
import type { Clock } from '../clock';
import type { PurgeStep, PurgeTask } from './purge-task';

const ROWS_PER_STEP = 1_000;
const DAY_MS = 86_400_000;

/** Deletes counts of mails and tests whose hour ended long ago. */
export class PastUses implements PurgeTask {
  readonly name = 'past-uses';

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  async step(): Promise<PurgeStep> {
    const [result] = await this.pool.query<ResultSetHeader>('DELETE FROM usage_counts WHERE started_ms < ? LIMIT ?', [
      this.clock.now() - DAY_MS,
      ROWS_PER_STEP,
    ]);
    const deleted = result.affectedRows;
    return { deleted, position: 0, isDone: deleted < ROWS_PER_STEP };
  }
}
