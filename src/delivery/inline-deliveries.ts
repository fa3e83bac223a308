import type { DeliveryNudge } from '../../jobs/delivery.job';
import type { Logger } from '../platform/logger';
import type { JobQueue } from '../queue/job-queue';
import type { DeliverySender } from './delivery-sender';
import { TenantPermits } from './tenant-permits';
import type { ThrottledDeliveries } from './throttled-deliveries';

/** First attempts of one process at the same time. Further ones go through the queue, where all workers share them. */
const AT_ONCE = 8;

/**
 * Makes attempts without the way through the queue: first ones in the process that has committed their deliveries, and those that
 * have waited for a permit in the process that has freed it. They are leased like all others. When the process dies, the reconciler
 * finds what it has not attempted.
 */
export class InlineDeliveries {
  private readonly running = new Set<Promise<void>>();
  private readonly owners = new TenantPermits(AT_ONCE);
  private goingOn = 0;
  private isOpen = false;

  constructor(
    private readonly sender: Pick<DeliverySender, 'attempt'>,
    private readonly parked: Pick<ThrottledDeliveries, 'parkSurplus'>,
    private readonly jobQueue: Pick<JobQueue, 'enqueueDeliveries'>,
    private readonly logger: Logger,
    /** Attempts at the same time that follow others. */
    private readonly concurrency: number,
  ) {}

  /** From now on some attempts are made here: the process takes jobs of the queue of deliveries, too. */
  open(): void {
    this.isOpen = true;
  }

  /** Makes no more of them, and waits for those that are under way. */
  async close(): Promise<void> {
    this.isOpen = false;
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** How many are under way. */
  describe(): string {
    return `${this.running.size} attempts without a job`;
  }

  /** Starts as many as may be under way, those of high priority first, and enqueues the others that a receiver has room for. */
  async start(nudges: readonly DeliveryNudge[]): Promise<void> {
    const inOrder = [...nudges].sort((a, b) => b.priority - a.priority);
    const next = await this.parked.parkSurplus(inOrder).catch((error: unknown) => {
      this.logger.warn({ reason: String(error) }, 'deliveries could not be parked; all of them are enqueued');
      return inOrder;
    });
    const others = next.filter((nudge) => !this.begin(nudge));
    if (others.length > 0) await this.jobQueue.enqueueDeliveries(others);
  }

  /** Starts attempts after others of this process that have ended. */
  async goOn(nudges: readonly DeliveryNudge[]): Promise<void> {
    const others = nudges.filter((nudge) => {
      if (!this.isOpen || this.goingOn >= this.concurrency) return true;
      this.goingOn += 1;
      this.run(nudge, () => {
        this.goingOn -= 1;
      });
      return false;
    });
    if (others.length > 0) await this.jobQueue.enqueueDeliveries(others);
  }

  private begin(nudge: DeliveryNudge): boolean {
    const { ownerId } = nudge;
    if (!this.isOpen || this.running.size - this.goingOn >= AT_ONCE || !this.owners.take(ownerId)) return false;
    this.run(nudge, () => this.owners.release(ownerId));
    return true;
  }

  private run(nudge: DeliveryNudge, onEnd: () => void): void {
    const attempt: Promise<void> = this.attempt(nudge).finally(() => {
      this.running.delete(attempt);
      onEnd();
    });
    this.running.add(attempt);
  }

  private async attempt(nudge: DeliveryNudge): Promise<void> {
    const { deliveryId, receiver } = nudge;
    try {
      const result = await this.sender.attempt(deliveryId, { receiver });
      // Its job fails, so that the board shows it.
      if (result === 'failed') await this.jobQueue.enqueueDeliveries([nudge]);
    } catch (error) {
      this.logger.warn({ deliveryId, reason: String(error) }, 'an attempt failed; the sweep will enqueue it again');
    }
  }
}
