import type { ScheduledName } from '../../jobs/schedule.job';
import type { Purge } from './purge';
import type { Sweep } from './sweep';

/** Runs the repeated jobs of a worker. */
export class Schedule {
  private readonly running = new Set<ScheduledName>();

  constructor(
    private readonly sweep: Sweep,
    private readonly purge: Purge,
  ) {}

  /** Runs the job of that name, unless this process is still running it: it must not use up the concurrency of the others. */
  async run(name: ScheduledName): Promise<string> {
    if (this.running.has(name)) return 'still-running';
    this.running.add(name);
    try {
      return await this.work(name);
    } finally {
      this.running.delete(name);
    }
  }

  private async work(name: ScheduledName): Promise<string> {
    switch (name) {
      case 'sweep':
        await this.sweep.enqueueWaiting();
        return 'enqueued';
      case 'sweep-deliveries':
        await this.sweep.enqueueDeliveries();
        return 'enqueued';
      case 'purge':
        return `${await this.purge.run()} rows purged`;
    }
  }
}
