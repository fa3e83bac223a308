import type { Clock } from '../clock';
import { isPermanent } from '../database/mysql-errors';
import type { Logger } from '../logger';
import type { MaintenanceCursors } from './maintenance-cursors';
import type { PurgeTask } from './purge-task';

/** Bounds of one task in one run: the next run, a minute later, goes on from there. */
const MAX_STEPS = 1_000;
const MAX_MS = 15_000;

/** Deletes what is past its retention, and what belonged to deleted things: in small steps, each task by one worker at a time. */
export class Purge {
  constructor(
    private readonly cursors: MaintenanceCursors,
    private readonly tasks: readonly PurgeTask[],
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Works on each task that no other worker does, for a bounded time. One that fails stops no other. Returns how many rows it deleted. */
  async run(): Promise<number> {
    let deleted = 0;
    for (const task of this.tasks) {
      try {
        deleted += await this.work(task);
      } catch (error) {
        if (!isPermanent(error)) throw error;
        this.logger.error({ task: task.name, err: error }, 'a task of the purge failed');
      }
    }
    return deleted;
  }

  private async work(task: PurgeTask): Promise<number> {
    const lease = await this.cursors.take(task.name);
    if (!lease) return 0;
    const untilMs = this.clock.now() + MAX_MS;
    let deleted = 0;
    try {
      for (let step = 0; step < MAX_STEPS && this.clock.now() < untilMs; step += 1) {
        const done = await task.step(lease.position);
        deleted += done.deleted;
        if (!(await lease.advance(done.position)) || done.isDone) break;
      }
    } finally {
      // Should this fail, the lease ends by itself.
      await lease.release().catch(() => undefined);
    }
    return deleted;
  }
}
