import type { Pool } from 'mysql2/promise';
import { type Delivery, type DeliveryNudge, findDueDeliveries } from '../notifications';
import type { Clock } from '../platform/clock';
import type { JobQueue } from '../queue/job-queue';
import { readWaiting } from './waiting-work';

/** The polling publisher of the outbox: repeats lost nudges. */
export class Reconciler {
  constructor(
    private readonly pool: Pool,
    private readonly jobQueue: JobQueue,
    private readonly delivery: Pick<Delivery, 'runner' | 'receivers' | 'late'>,
    /** Makes probes of notifications. */
    private readonly probes: { insertDue(): Promise<DeliveryNudge[]> },
    private readonly clock: Clock,
  ) {}

  async enqueueWaiting(): Promise<void> {
    const nowMs = this.clock.now();
    const waiting = await readWaiting(this.pool, nowMs);
    await this.jobQueue.nudgeEvaluation(waiting.partitions);
    if (waiting.hasEvents) await this.jobQueue.enqueueEventDispatch();
    await this.jobQueue.enqueueTraining(waiting.services);
    await this.jobQueue.enqueueArchives(waiting.archives);
    if (waiting.hasFleets) await this.jobQueue.enqueueFleets();
  }

  /** Overdue ones, throttled ones whose receiver has a free permit, and due probes. Reports late alerts. */
  async startDeliveries(): Promise<void> {
    await this.delivery.runner.start(await findDueDeliveries(this.pool, this.clock.now()));
    await this.delivery.runner.start(await this.delivery.receivers.wakeAll());
    await this.delivery.runner.start(await this.probes.insertDue());
    await this.delivery.runner.start(await this.delivery.late.report());
  }
}
