import type { DeliveryWakeUp } from '../../jobs/delivery.job';
import type { Logger } from '../logger';
import type { JobQueue } from '../redis/job-queue';
import type { DeliverySender } from './delivery-sender';
import { OwnerSlots } from './owner-slots';

/** First attempts of one process at the same time. Further ones go through the queue, where all workers share them. */
const AT_ONCE = 8;

/**
 * Makes first attempts in the process that has committed their deliveries, without the way through the queue. They are
 * claimed like all others. When the process dies, the sweep finds what it has not attempted.
 */
export class FirstAttempts {
  private readonly running = new Set<Promise<void>>();
  private readonly owners = new OwnerSlots(AT_ONCE);
  private isOpen = false;

  constructor(
    private readonly sender: Pick<DeliverySender, 'attempt'>,
    private readonly jobQueue: Pick<JobQueue, 'enqueueDeliveries'>,
    private readonly logger: Logger,
  ) {}

  /** From now on some attempts are made here: the process takes jobs of the queue of deliveries, too. */
  open(): void {
    this.isOpen = true;
  }

  /** Makes no more of them, and waits for those that are under way. */
  async close(): Promise<void> {
    this.isOpen = false;
    await Promise.all(this.running);
  }

  /** Starts as many as may be under way, those of high priority first, and enqueues the others. */
  async start(wakeUps: readonly DeliveryWakeUp[]): Promise<void> {
    const inOrder = [...wakeUps].sort((a, b) => b.priority - a.priority);
    const others = inOrder.filter((wakeUp) => !this.begin(wakeUp));
    if (others.length > 0) await this.jobQueue.enqueueDeliveries(others);
  }

  private begin(wakeUp: DeliveryWakeUp): boolean {
    const { ownerId } = wakeUp;
    if (!this.isOpen || this.running.size >= AT_ONCE || !this.owners.take(ownerId)) return false;
    const attempt: Promise<void> = this.attempt(wakeUp).finally(() => {
      this.running.delete(attempt);
      this.owners.release(ownerId);
    });
    this.running.add(attempt);
    return true;
  }

  private async attempt(wakeUp: DeliveryWakeUp): Promise<void> {
    const { deliveryId } = wakeUp;
    try {
      // Its job fails, so that the board shows it.
      if ((await this.sender.attempt(deliveryId)) === 'failed') await this.jobQueue.enqueueDeliveries([wakeUp]);
    } catch (error) {
      this.logger.warn({ deliveryId, reason: String(error) }, 'an attempt failed; the sweep will enqueue it again');
    }
  }
}
