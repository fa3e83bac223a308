import type { Pool } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import { OldChanges } from '../points';
import type { PurgeStep, PurgeTask } from './purge-task';

/** Too old, or too far back, for a stream to resume from. The position is the last checked topic. */
export class StreamLog implements PurgeTask {
  readonly name = 'stream-log';
  private readonly changes: OldChanges;

  constructor(pool: Pool, clock: Clock) {
    this.changes = new OldChanges(pool, clock);
  }

  async step(position: number): Promise<PurgeStep> {
    const ended = await this.changes.endTopics();
    const deleted = ended + (await this.changes.deleteOld());
    if (deleted > 0) return { deleted, position, isDone: false };
    const trimmed = await this.changes.trimTopics(position);
    // Topics are trimmed round-robin: some in each run.
    return { deleted: trimmed.deleted, position: trimmed.lastId, isDone: true };
  }
}
