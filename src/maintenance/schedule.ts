import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { LeaderPerTick } from '../queue/leader-per-tick';
import { isPermanent } from '../storage/mysql-errors';
import type { Purge } from './purge';
import type { Reconciler } from './reconciler';

/**
 * Repeated work, with its interval in ms. `sweep` wakes up waiting points and events and due inactivities, none of which may be
 * late; `sweep-deliveries` wakes up deliveries; `purge` deletes what is past its retention, and the history of deleted things.
 */
export const SCHEDULED = { sweep: 500, 'sweep-deliveries': 1_000, purge: 60_000 } as const;
export type ScheduledName = keyof typeof SCHEDULED;
const NAMES = Object.keys(SCHEDULED) as ScheduledName[]; // the keys of the object above

/** Of an interval that all workers share: timers are not exact, and one that comes a little early is not to be left out. */
const SHARED_PART = 0.8;

/** What the schedule does, and where it reports. */
export interface ScheduleSetting {
  sweep: Pick<Reconciler, 'enqueueWaiting' | 'enqueueDeliveries'>;
  purge: Pick<Purge, 'run'>;
  intervals: Pick<LeaderPerTick, 'take'>;
  metrics: Pick<Metrics, 'scheduled'>;
  logger: Logger;
}

/** The repeated work of a worker. Sweeps are made by one of all workers at a time, whichever comes first. */
export class Schedule {
  private readonly running = new Map<ScheduledName, Promise<void>>();
  private timers: NodeJS.Timeout[] = [];

  constructor(private readonly setting: ScheduleSetting) {}

  /**
   * Begins within the first interval of each work, so that workers that start together do not go on together. The reconcilers of a worker do:
   * an idle process takes more time to wake up than for what it does then.
   */
  start(): void {
    const phase = Math.random();
    for (const name of NAMES) {
      const everyMs = SCHEDULED[name];
      const begin = () => {
        void this.run(name);
        this.timers.push(setInterval(() => void this.run(name), everyMs));
      };
      this.timers.push(setTimeout(begin, phase * (name === 'purge' ? everyMs : SCHEDULED.sweep)));
    }
  }

  /** What is being done. */
  get underWay(): ScheduledName[] {
    return [...this.running.keys()];
  }

  /** Begins nothing more, and waits for what is under way. */
  async stop(): Promise<void> {
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
    await Promise.all(this.running.values());
  }

  /** Does the work of that name, unless this process is still doing it or, of reconcilers, another has just done it. Never fails. */
  run(name: ScheduledName): Promise<void> {
    const underWay = this.running.get(name);
    if (underWay) return underWay;
    const work = this.observe(name).finally(() => this.running.delete(name));
    this.running.set(name, work);
    return work;
  }

  private async observe(name: ScheduledName): Promise<void> {
    const { intervals, metrics, logger } = this.setting;
    // Without Redis there is nothing to be woken up. The purge has leases of its own.
    if (name !== 'purge' && !(await intervals.take(name, SCHEDULED[name] * SHARED_PART))) return;
    const started = performance.now();
    let outcome = 'done';
    try {
      await this.work(name);
    } catch (error) {
      outcome = 'failed';
      if (isPermanent(error)) logger.error({ work: name, err: error }, 'repeated work failed; it comes again');
      else logger.warn({ work: name, reason: String(error) }, 'repeated work failed; it comes again');
    }
    metrics.scheduled.observe({ work: name, outcome }, (performance.now() - started) / 1_000);
  }

  private async work(name: ScheduledName): Promise<void> {
    const { sweep, purge } = this.setting;
    switch (name) {
      case 'sweep':
        return sweep.enqueueWaiting();
      case 'sweep-deliveries':
        return sweep.enqueueDeliveries();
      case 'purge':
        await purge.run();
    }
  }
}
