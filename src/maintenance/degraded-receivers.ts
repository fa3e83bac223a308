import type { Pool, ResultSetHeader } from 'mysql2/promise';
import type { Clock } from '../clock';
import type { PurgeStep, PurgeTask } from './purge-task';

const RECEIVERS_PER_STEP = 1_000;
const DAY_MS = 86_400_000;

/** Deletes the record of receivers that failed a day ago. A receiver that is still degraded will fail again. */
export class DegradedReceivers implements PurgeTask {
  readonly name = 'degraded-receivers';

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  async step(): Promise<PurgeStep> {
    const [result] = await this.pool.query<ResultSetHeader>(
      'DELETE FROM degraded_receivers WHERE since_ms < ? LIMIT ?',
      [this.clock.now() - DAY_MS, RECEIVERS_PER_STEP],
    );
    const deleted = result.affectedRows;
    return { deleted, position: 0, isDone: deleted < RECEIVERS_PER_STEP };
  }
}
