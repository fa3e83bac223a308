import type { DeliveryNudge } from '../../jobs/delivery.job';
import type { Logger } from '../platform/logger';
import type { JobQueue } from '../queue/job-queue';
import type { DeliverySender } from './delivery-sender';
import { TenantPermits } from './tenant-permits';
import type { ThrottledDeliveries } from './throttled-deliveries';

/**
 * Maximum number of concurrent first attempts in one process. Further ones go through the queue, which all workers
 * share.
 */
const AT_ONCE = 8;

/**
 * Makes attempts without the queue: first attempts in the process that has committed their deliveries, and attempts
 * that waited for a permit in the process that has freed it. They are leased like all others. If the process dies, the
 * reconciler finds the deliveries that it has not attempted.
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
    /** Maximum number of concurrent inline continuations. */
    private readonly concurrency: number,
  ) {}

  /** Enables inline deliveries: the process now also takes jobs of the delivery queue. */
  open(): void {
    this.isOpen = true;
  }

  /** Stops making them, and waits for the running ones. */
  async close(): Promise<void> {
    this.isOpen = false;
    while (this.running.size > 0) await Promise.all(this.running);
  }

  describe(): string {
    return `${this.running.size} attempts without a job`;
  }

  /**
   * Starts the attempts of highest priority, up to the limit, and enqueues the others that their receivers have permits
   * for.
   */
  async start(nudges: readonly DeliveryNudge[]): Promise<void> {
    const inOrder = [...nudges].sort((a, b) => b.priority - a.priority);
    const next = await this.parked.parkSurplus(inOrder).catch((error: unknown) => {
      this.logger.warn({ reason: String(error) }, 'deliveries could not be throttled; all of them are enqueued');
      return inOrder;
    });
    const others = next.filter((nudge) => !this.begin(nudge));
    if (others.length > 0) await this.jobQueue.enqueueDeliveries(others);
  }

  /** Starts attempts as continuations of ended attempts of this process. */
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
      this.logger.warn(
        { deliveryId, reason: String(error) },
        'an attempt failed; the reconciler will enqueue it again',
      );
    }
  }
}
