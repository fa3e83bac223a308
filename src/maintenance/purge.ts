import type { Clock } from '../clock';
import { isPermanent } from '../database/mysql-errors';
import type { Logger } from '../logger';
import type { MaintenanceCursors } from './maintenance-cursors';
import type { PurgeTask } from './purge-task';

/** Bounds of one task in one run. The next run, a minute later, continues from there. */
const MAX_STEPS = 1_000;
const MAX_MS = 25_000;

/** Deletes rows past their retention and the history of deleted things, in small steps; one worker at a time does each task. */
export class Purge {
  private isStopped = false;

  constructor(
    private readonly cursors: MaintenanceCursors,
    private readonly tasks: readonly PurgeTask[],
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Does each task that no other worker is doing, for a bounded time. A task that fails stops no other. Returns the number of deleted rows. */
  async run(): Promise<number> {
    let deleted = 0;
    for (const task of this.tasks) {
      if (this.isStopped) break;
      try {
        deleted += await this.work(task);
      } catch (error) {
        if (!isPermanent(error)) throw error;
        this.logger.error({ task: task.name, err: error }, 'a task of the purge failed');
      }
    }
    return deleted;
  }

  /** Ends the run under way after its present step, so that another worker goes on with its task at once. */
  stop(): void {
    this.isStopped = true;
  }

  private async work(task: PurgeTask): Promise<number> {
    const lease = await this.cursors.take(task.name);
    if (!lease) return 0;
    const untilMs = this.clock.now() + MAX_MS;
    let deleted = 0;
    try {
      for (let step = 0; step < MAX_STEPS && !this.isStopped && this.clock.now() < untilMs; step += 1) {
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
