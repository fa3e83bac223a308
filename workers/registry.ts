import type { ArchivePayload } from '../jobs/archive.job';
import type { DeliveryPayload } from '../jobs/delivery.job';
import type { EvaluationPayload } from '../jobs/evaluation.job';
import { type EventPayload, SHARES_PER_WORKER } from '../jobs/event.job';
import type { QueueName } from '../jobs/queues';
import { SCHEDULED_NAMES, type ScheduledName } from '../jobs/schedule.job';
import type { TrainingPayload } from '../jobs/training.job';
import type { Container } from '../src/container';
import type { Config } from '../src/platform/config';
import { handleArchive } from './archive.worker';
import { handleDelivery } from './delivery.worker';
import { handleEvaluation } from './evaluation.worker';
import { handleEvents } from './event.worker';
import type { Outcome } from './outcome';
import { handleSchedule } from './schedule.worker';
import { handleTraining } from './training.worker';

export interface QueueWork {
  handle(job: { name: string; data: unknown }, container: Container): Promise<Outcome>;
  concurrency(config: Config): number;
  /** Starts and ends with the worker. */
  companion?(container: Container): { open(): void; close(): Promise<void>; describe(): string };
}

/** The casts are safe: `jobs/` is the only place that adds to these queues. */
export const registry: Record<QueueName, QueueWork> = {
  evaluation: {
    handle: (job, container) => handleEvaluation(job.data as EvaluationPayload, container),
    // BullMQ would look for another job three times while this one runs, if there were room.
    concurrency: () => 1,
  },
  events: {
    handle: (job, container) => handleEvents(job.data as EventPayload, container),
    concurrency: () => SHARES_PER_WORKER,
  },
  deliveries: {
    handle: (job, container) => handleDelivery(job.data as DeliveryPayload, container),
    concurrency: (config) => config.deliveryConcurrency,
    companion: ({ delivery }) => delivery.runner,
  },
  training: {
    handle: (job, container) => handleTraining(job.data as TrainingPayload, container),
    // None is urgent, and each keeps the database busy.
    concurrency: () => 1,
  },
  archives: {
    handle: (job, container) => handleArchive(job.data as ArchivePayload, container),
    // None is urgent, and each keeps the database busy.
    concurrency: () => 1,
  },
  schedule: {
    handle: (job, container) => handleSchedule(job.name as ScheduledName, container),
    // A purge may last; the others, and the fleets, must not wait for it.
    concurrency: () => SCHEDULED_NAMES.length + 1,
  },
};
