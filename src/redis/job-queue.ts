import { type DeliveryWakeUp, enqueueDeliveries } from '../../jobs/delivery.job';
import { enqueueEventDispatch } from '../../jobs/event.job';
import type { Queues } from '../../jobs/queues';
import { enqueueTurns } from '../../jobs/sensor-turn.job';
import { enqueueTraining } from '../../jobs/training.job';
import type { Logger } from '../logger';
import { withTimeout } from '../with-timeout';

const ENQUEUE_TIMEOUT_MS = 2_000;

/**
 * Enqueues wake-ups for rows that are already committed. A wake-up may be lost without harm (the sweep enqueues it
 * again), so these promises never fail and never wait longer than two seconds for Redis.
 */
export class JobQueue {
  constructor(
    private readonly queues: Queues,
    private readonly logger: Logger,
  ) {}

  /** A turn of each of these partitions. */
  enqueueTurns(partitions: Iterable<number>): Promise<void> {
    return this.enqueue('sensor-actors', enqueueTurns(this.queues['sensor-actors'], partitions));
  }

  /** The next attempt of each of these deliveries. */
  enqueueDeliveries(wakeUps: Iterable<DeliveryWakeUp>): Promise<void> {
    return this.enqueue('deliveries', enqueueDeliveries(this.queues.deliveries, wakeUps));
  }

  /** The dispatch of whatever events wait. */
  enqueueEventDispatch(): Promise<void> {
    return this.enqueue('events', enqueueEventDispatch(this.queues.events));
  }

  /** Training of each of these services. */
  enqueueTraining(serviceIds: Iterable<number>): Promise<void> {
    return this.enqueue('training', enqueueTraining(this.queues.training, serviceIds));
  }

  private async enqueue(queue: string, enqueueing: Promise<void>): Promise<void> {
    try {
      await withTimeout(ENQUEUE_TIMEOUT_MS, enqueueing, () => new Error('Redis did not answer'));
    } catch (error) {
      this.logger.warn({ queue, reason: String(error) }, 'a wake-up was lost; the sweep will enqueue it again');
    }
  }
}
