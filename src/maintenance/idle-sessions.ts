import type { Pool, ResultSetHeader } from 'mysql2/promise';
import type { Clock } from '../clock';
import type { PurgeStep, PurgeTask } from './purge-task';

const SESSIONS_PER_STEP = 1_000;
const DAY_MS = 86_400_000;

/** Sessions that were not used for so many days: they have ended already. */
export class IdleSessions implements PurgeTask {
  readonly name = 'idle-sessions';

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly idleDays: number,
  ) {}

  async step(): Promise<PurgeStep> {
    const [result] = await this.pool.query<ResultSetHeader>('DELETE FROM sessions WHERE used_ms < ? LIMIT ?', [
      this.clock.now() - this.idleDays * DAY_MS,
      SESSIONS_PER_STEP,
    ]);
    const deleted = result.affectedRows;
    return { deleted, position: 0, isDone: deleted < SESSIONS_PER_STEP };
  }
}
