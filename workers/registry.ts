import type { DeliveryPayload } from '../jobs/delivery.job';
import type { LearningPayload } from '../jobs/learning.job';
import type { QueueName } from '../jobs/queues';
import type { SensorTurnPayload } from '../jobs/sensor-turn.job';
import { SCHEDULED, type ScheduledName } from '../jobs/sweep.job';
import type { Config } from '../src/config';
import type { Container } from '../src/container';
import { handleDelivery } from './delivery.worker';
import { handleEvents } from './event.worker';
import { handleLearning } from './learning.worker';
import { handleSensorTurn } from './sensor-turn.worker';
import { handleSchedule } from './sweep.worker';

/** How one queue is worked: what a job means, how many at once, and how soon a dead worker's job is taken over. */
export interface QueueWork {
  handle(job: { name: string; data: unknown }, container: Container): Promise<string>;
  concurrency(config: Config): number;
  lockMs: number;
  stalledCheckMs: number;
}

/** Queue to handler. The casts are safe: `jobs/` is the only place that adds to these queues. */
export const registry: Record<QueueName, QueueWork> = {
  'sensor-actors': {
    handle: (job, container) => handleSensorTurn(job.data as SensorTurnPayload, container),
    concurrency: () => 4,
    lockMs: 5_000,
    stalledCheckMs: 2_000,
  },
  events: {
    handle: (_job, container) => handleEvents(container),
    concurrency: () => 1,
    lockMs: 5_000,
    stalledCheckMs: 2_000,
  },
  deliveries: {
    handle: (job, container) => handleDelivery(job.data as DeliveryPayload, container),
    concurrency: (config) => config.deliveryConcurrency,
    // While a dead worker's job lasts, a ring for the same attempt is swallowed.
    lockMs: 5_000,
    stalledCheckMs: 2_000,
  },
  learnings: {
    handle: (job, container) => handleLearning(job.data as LearningPayload, container),
    // Nobody is in a hurry for them, and each of them keeps the database busy.
    concurrency: () => 1,
    lockMs: 5_000,
    stalledCheckMs: 2_000,
  },
  schedule: {
    handle: (job, container) => handleSchedule(job.name as ScheduledName, container),
    // Each of them once: none waits for another.
    concurrency: () => Object.keys(SCHEDULED).length,
    lockMs: 5_000,
    stalledCheckMs: 2_000,
  },
};
