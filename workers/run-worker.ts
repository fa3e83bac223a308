import { type Job, Worker } from 'bullmq';
import { type QueueName, queuePrefix } from '../jobs/queues';
import type { Container } from '../src/container';
import type { QueueWork } from './registry';

/**
 * The job of a dead worker is given to another when its lock has run out. Soon, because until then a ring for the same
 * job is swallowed.
 */
export const LOCK_MS = 5_000;
/** How often a worker looks for such jobs. */
export const STALLED_CHECK_MS = 2_000;

/**
 * Starts a worker on one queue. A handler that throws fails its job, which is not tried again: the row that it was
 * about still waits, and the sweep rings for it within seconds.
 */
export function runWorker(name: QueueName, work: QueueWork, container: Container): Worker {
  const { config, logger, redis } = container;
  const worker = new Worker(
    name,
    async (job: Job) => {
      const started = performance.now();
      const outcome = await work.handle(job, container);
      const ms = Math.round(performance.now() - started);
      logger.debug({ queue: name, jobId: job.id, ...(job.data as object), outcome, ms }, 'job'); // payloads are objects
      return outcome;
    },
    {
      connection: redis.duplicate(),
      prefix: queuePrefix(config.redisPrefix),
      concurrency: work.concurrency(config),
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
    },
  );
  worker.on('failed', (job, error) => {
    logger.warn({ queue: name, jobId: job?.id, reason: error.message }, 'job failed; the sweep will ring again');
  });
  worker.on('error', (error) => logger.debug({ queue: name, reason: error.message }, 'queue connection'));
  return worker;
}
