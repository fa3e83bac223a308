import { type Job, UnrecoverableError, Worker } from 'bullmq';
import type { QueueName } from '../jobs/queues';
import type { Container } from '../src/container';
import { type Logger, toLogged } from '../src/platform/logger';
import { withTimeout } from '../src/platform/with-timeout';
import { isAway, isPermanent } from '../src/storage/mysql-errors';
import type { QueueWork } from './registry';

/**
 * After this time a dead worker's job goes to another one. Short, because until then nudges for the work are dropped as
 * duplicates. A late renewal only loses time: repeated work takes effect once.
 */
export const LOCK_MS = 2_500;
/**
 * How often workers look for such jobs. Two at nearly the same time may skip a check, so work continues within 4.5 s of
 * a death.
 */
export const STALLED_CHECK_MS = 1_000;

const CLOSE_MS = 3_000;

export interface RunningWorker {
  /** Takes no more jobs, waits for running ones, closes connections. Does not wait for an unreachable Redis. */
  close(): Promise<void>;
  describe(): string;
}

class FinalFailure extends UnrecoverableError {
  /** The board would show the stack, which says nothing about the cause. */
  override stack = '';
}

/** May be shown: BullMQ stores message and stack in Redis. */
class JobFailure extends Error {
  override readonly name = 'JobFailure';

  constructor(override readonly cause: unknown) {
    const shown = toLogged(cause);
    super(typeof shown === 'string' ? shown : shown.message);
    if (typeof shown === 'object') this.stack = shown.stack;
  }
}

/**
 * A job that throws, or reports a final failure, is not retried: its row still waits, and the reconciler enqueues it
 * within seconds.
 */
export function runWorker(name: QueueName, work: QueueWork, container: Container): RunningWorker {
  const { config, logger, queues, redis, redisClient } = container;
  const running = new Set<Promise<unknown>>();
  const worker = new Worker(
    name,
    (job: Job) => {
      const handled: Promise<string> = handleJob(name, work, container, job).finally(() => running.delete(handled));
      running.add(handled);
      return handled;
    },
    {
      // Shared with the queues. BullMQ opens another connection for the blocking command.
      connection: redis,
      prefix: queues[name].opts.prefix,
      concurrency: work.concurrency(config),
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
    },
  );
  worker.on('failed', (job, error) => {
    const cause = error instanceof JobFailure && error.cause instanceof Error ? error.cause : error;
    logFailedJob(logger, { queue: name, jobId: job?.id, ...job?.data }, cause);
  });
  worker.on('error', (error) => logger.debug({ queue: name, reason: error.message }, 'queue connection'));
  const companion = work.companion?.(container);
  companion?.open();
  // BullMQ with `force` waits neither for Redis nor for running jobs; these are awaited here.
  return {
    close: async () => {
      const closing = worker.close(!redisClient.isReady);
      await Promise.all([companion?.close(), whenClosed(closing, running)]);
    },
    describe: () =>
      `queue ${name}: ${running.size} jobs${companion ? `, ${companion.describe()}` : ''}, and its connections`,
  };
}

/** Records the outcome in the metrics. Throws if the job failed. */
async function handleJob(name: QueueName, work: QueueWork, container: Container, job: Job): Promise<string> {
  const { logger, metrics } = container;
  const started = performance.now();
  const ended = (how: 'done' | 'failed' | 'failed-for-good') => {
    const seconds = (performance.now() - started) / 1_000;
    metrics.jobs.observe({ queue: name, outcome: how }, seconds);
    return Math.round(seconds * 1_000);
  };
  const outcome = await work.handle(job, container).catch((error: unknown) => {
    ended('failed');
    throw new JobFailure(error);
  });
  if (typeof outcome !== 'string') {
    ended('failed-for-good');
    throw new FinalFailure(outcome.failed);
  }
  logger.debug({ queue: name, jobId: job.id, ...(job.data as object), outcome, ms: ended('done') }, 'job');
  return outcome;
}

/** Bounded for the connections: Redis may disappear at this moment. */
async function whenClosed(closing: Promise<void>, running: ReadonlySet<Promise<unknown>>): Promise<void> {
  do {
    await Promise.allSettled(running);
    await withTimeout(CLOSE_MS, closing).catch(() => undefined);
    // A job that was being fetched may have started meanwhile.
  } while (running.size > 0);
}

/** An error with its stack if the platform is at fault, otherwise a warning. */
function logFailedJob(logger: Logger, job: object, error: Error): void {
  if (error instanceof FinalFailure) {
    logger.warn({ ...job, reason: error.message }, 'job failed for good');
  } else if (isAway(error) || !isPermanent(error) || error instanceof UnrecoverableError) {
    // BullMQ's own error is about a job whose workers were killed twice.
    logger.warn({ ...job, reason: error.message }, 'job failed; the reconciler will enqueue it again');
  } else {
    logger.error({ ...job, err: error }, 'job failed; the reconciler will enqueue it again');
  }
}
