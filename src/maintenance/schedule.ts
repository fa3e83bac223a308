import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { LeaderPerTick } from '../queue/leader-per-tick';
import { isPermanent } from '../storage/mysql-errors';
import type { Purge } from './purge';
import type { Reconciler } from './reconciler';

/**
 * Repeated tasks and their intervals in ms. `sweep` nudges waiting points, events and due inactivities, none of which
 * may be late. `sweep-deliveries` nudges deliveries. `purge` deletes rows past their retention, and the history of
 * deleted things.
 */
export const SCHEDULED = { sweep: 500, 'sweep-deliveries': 1_000, purge: 60_000 } as const;
export type ScheduledName = keyof typeof SCHEDULED;
const NAMES = Object.keys(SCHEDULED) as ScheduledName[]; // the keys of the object above

/**
 * Fraction of an interval for which one worker is the leader: timers are not exact, and a timer that fires slightly
 * early must not be skipped.
 */
const SHARED_PART = 0.8;

/** The tasks of the schedule, and where it reports. */
export interface ScheduleSetting {
  sweep: Pick<Reconciler, 'enqueueWaiting' | 'enqueueDeliveries'>;
  purge: Pick<Purge, 'run'>;
  intervals: Pick<LeaderPerTick, 'take'>;
  metrics: Pick<Metrics, 'scheduled'>;
  logger: Logger;
}

/** The repeated tasks of a worker. One worker at a time, whichever comes first, runs the reconciler for all. */
export class Schedule {
  private readonly running = new Map<ScheduledName, Promise<void>>();
  private timers: NodeJS.Timeout[] = [];

  constructor(private readonly setting: ScheduleSetting) {}

  /**
   * Each task starts at a random time within its first interval, so that workers that start together do not keep
   * running together. Both reconcilers of one worker do start together: waking an idle process takes more time than
   * their work.
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

  /** The running tasks. */
  get underWay(): ScheduledName[] {
    return [...this.running.keys()];
  }

  /** Starts nothing more, and waits for the running tasks. */
  async stop(): Promise<void> {
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
    await Promise.all(this.running.values());
  }

  /**
   * Runs a task, unless this process is still running it or, for reconcilers, another process has just run it. Never
   * fails.
   */
  run(name: ScheduledName): Promise<void> {
    const underWay = this.running.get(name);
    if (underWay) return underWay;
    const work = this.observe(name).finally(() => this.running.delete(name));
    this.running.set(name, work);
    return work;
  }

  private async observe(name: ScheduledName): Promise<void> {
    const { intervals, metrics, logger } = this.setting;
    // Without Redis there is nothing to nudge. The purge has its own leases.
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
