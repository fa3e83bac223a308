import type { ScheduledName } from '../../jobs/schedule.job';
import type { Metrics } from '../platform/metrics';
import type { Purge } from './purge';
import type { Reconciler } from './reconciler';

export interface ScheduleSetting {
  reconciler: Pick<Reconciler, 'enqueueWaiting' | 'startDeliveries'>;
  selectors: { run(): Promise<void> };
  fleetFollower: { run(): Promise<void> };
  fleetFolder: { run(): Promise<unknown> };
  latePoints: { run(): Promise<void> };
  shadows: { endDue(): Promise<void> };
  weeklyReports: { run(): Promise<void> };
  purge: Pick<Purge, 'run'>;
  metrics: Pick<Metrics, 'scheduled'>;
}

/** BullMQ decides when, and which worker. */
export class Schedule {
  private readonly running = new Map<ScheduledName, Promise<void>>();

  constructor(private readonly setting: ScheduleSetting) {}

  /** While this process still does the work, the call joins in. */
  run(name: ScheduledName): Promise<void> {
    const running = this.running.get(name);
    if (running) return running;
    const work = this.measure(name).finally(() => this.running.delete(name));
    this.running.set(name, work);
    return work;
  }

  private async measure(name: ScheduledName): Promise<void> {
    const started = performance.now();
    const ended = (outcome: 'done' | 'failed') =>
      this.setting.metrics.scheduled.observe({ work: name, outcome }, (performance.now() - started) / 1_000);
    try {
      await this.work(name);
    } catch (error) {
      ended('failed');
      throw error;
    }
    ended('done');
  }

  private async work(name: ScheduledName): Promise<void> {
    const { reconciler, selectors, fleetFollower, fleetFolder, latePoints, shadows, weeklyReports, purge } =
      this.setting;
    switch (name) {
      case 'reconcile':
        return reconciler.enqueueWaiting();
      case 'reconcile-deliveries':
        return reconciler.startDeliveries();
      case 'selectors':
        await selectors.run();
        return fleetFollower.run();
      case 'fleets':
        await fleetFolder.run();
        return;
      case 'late-points':
        return latePoints.run();
      case 'shadows':
        return shadows.endDue();
      case 'weekly-reports':
        return weeklyReports.run();
      case 'purge':
        await purge.run();
    }
  }
}
