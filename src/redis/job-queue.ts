import { type DeliveryRing, ringDeliveries } from '../../jobs/delivery.job';
import { ringEvents } from '../../jobs/event.job';
import { ringLearnings } from '../../jobs/learning.job';
import type { Queues } from '../../jobs/queues';
import { ringPartitions } from '../../jobs/sensor-turn.job';
import type { Logger } from '../logger';
import { within } from '../with-timeout';

const RING_TIMEOUT_MS = 2_000;

/**
 * Rings for rows that are already committed. A ring may be lost without harm (the sweep rings again), so these
 * promises never fail and never wait longer than two seconds for Redis.
 */
export class Doorbells {
  constructor(
    private readonly queues: Queues,
    private readonly logger: Logger,
  ) {}

  partitions(partitions: Iterable<number>): Promise<void> {
    return this.ring('sensor-actors', ringPartitions(this.queues['sensor-actors'], partitions));
  }

  deliveries(rings: Iterable<DeliveryRing>): Promise<void> {
    return this.ring('deliveries', ringDeliveries(this.queues.deliveries, rings));
  }

  events(): Promise<void> {
    return this.ring('events', ringEvents(this.queues.events));
  }

  learnings(serviceIds: Iterable<number>): Promise<void> {
    return this.ring('learnings', ringLearnings(this.queues.learnings, serviceIds));
  }

  private async ring(queue: string, ringing: Promise<void>): Promise<void> {
    try {
      await within(RING_TIMEOUT_MS, ringing, () => new Error('Redis did not answer'));
    } catch (error) {
      this.logger.warn({ queue, reason: String(error) }, 'a ring was lost; the sweep will ring again');
    }
  }
}
