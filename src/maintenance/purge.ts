import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { isPermanent } from '../storage/mysql-errors';
import type { MaintenanceCursors } from './maintenance-cursors';
import type { PurgeTask } from './purge-task';

const MAX_STEPS = 1_000;
const MAX_MS = 25_000;

/**
 * Rows past their retention and history of deleted things, in small steps. Large tasks have slices, and one worker at a
 * time does each.
 */
export class Purge {
  private isStopped = false;

  constructor(
    private readonly cursors: MaintenanceCursors,
    private readonly tasks: readonly PurgeTask[],
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Skips what another worker does. A task's slices share a time limit in equal parts; the rest is left to the next. A
   * failing task stops no other. Returns the number of deleted rows.
   */
  async run(): Promise<number> {
    let deleted = 0;
    for (const slices of inAnyOrder(this.tasks)) {
      const endMs = this.clock.now() + MAX_MS;
      for (const [index, task] of slices.entries()) {
        if (this.isStopped) return deleted;
        const nowMs = this.clock.now();
        deleted += await this.tryTo(task, nowMs + (endMs - nowMs) / (slices.length - index));
      }
    }
    return deleted;
  }

  /** After the current step, so that another worker can continue at once. */
  stop(): void {
    this.isStopped = true;
  }

  private async tryTo(task: PurgeTask, untilMs: number): Promise<number> {
    try {
      return await this.work(task, untilMs);
    } catch (error) {
      if (!isPermanent(error)) throw error;
      this.logger.error({ task: task.name, err: error }, 'a task of the purge failed');
      return 0;
    }
  }

  private async work(task: PurgeTask, untilMs: number): Promise<number> {
    if (this.clock.now() >= untilMs || (await task.isIdle?.())) return 0;
    const lease = await this.cursors.take(task.name);
    if (!lease) return 0;
    let deleted = 0;
    try {
      for (let step = 0; step < MAX_STEPS && !this.isStopped && this.clock.now() < untilMs; step += 1) {
        const done = await task.step(lease.position);
        deleted += done.deleted;
        if (done.isDone) {
          lease.endAt(done.position);
          break;
        }
        if (!(await lease.advance(done.position))) break;
      }
    } finally {
      // If this fails, the lease expires, and the last step is repeated.
      await lease.release().catch(() => undefined);
    }
    return deleted;
  }
}

/**
 * Keeps the order of the tasks, and begins each with a random slice: no slice is always the last, and workers spread.
 */
function inAnyOrder(tasks: readonly PurgeTask[]): PurgeTask[][] {
  const kinds = new Map<string, PurgeTask[]>();
  for (const task of tasks) kinds.set(task.kind ?? task.name, [...(kinds.get(task.kind ?? task.name) ?? []), task]);
  return [...kinds.values()].map((slices) => {
    const first = Math.floor(Math.random() * slices.length);
    return [...slices.slice(first), ...slices.slice(0, first)];
  });
}
