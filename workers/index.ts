import 'reflect-metadata';
import { hostname } from 'node:os';
import { QUEUE_NAMES } from '../jobs/queues';
import { scheduleRepeats } from '../jobs/sweep.job';
import { readConfig } from '../src/config';
import { buildContainer, type Container } from '../src/container';
import { createLogger } from '../src/logger';
import { runUntilSignal } from '../src/process';
import { registry } from './registry';
import { runWorker } from './run-worker';

/** Redis may be emptied at any moment: the repeated jobs are put back this often. */
const RESCHEDULE_MS = 2_000;
const PUBLISH_METRICS_MS = 5_000;

/** The worker process: works every queue until a signal, then finishes what runs. */
void runUntilSignal('worker', async (environment) => {
  const config = readConfig(environment);
  const logger = createLogger(config.logLevel, 'worker');
  const container = buildContainer(config, logger);
  await container.prepare();
  const stopScheduling = keepScheduled(container);
  const stopPublishing = keepPublished(container);
  const workers = QUEUE_NAMES.map((name) => runWorker(name, registry[name], container));
  logger.info({ queues: QUEUE_NAMES }, 'working');
  return async () => {
    stopScheduling();
    stopPublishing();
    await Promise.all(workers.map((worker) => worker.close()));
    await container.close();
    logger.info({}, 'stopped');
  };
});

function keepScheduled({ queues, logger }: Container): () => void {
  let running = false;
  const schedule = () => {
    if (running) return;
    running = true;
    scheduleRepeats(queues.schedule)
      .catch((error: unknown) => logger.warn({ reason: String(error) }, 'repeated jobs could not be scheduled'))
      .finally(() => {
        running = false;
      });
  };
  schedule();
  const timer = setInterval(schedule, RESCHEDULE_MS);
  return () => clearInterval(timer);
}

/** While Redis is away nothing is lost: counters go on, and the next time tells them. */
function keepPublished({ sharedMetrics, logger }: Container): () => void {
  const name = `${hostname()}-${process.pid}`;
  let running = false;
  const publish = () => {
    if (running) return;
    running = true;
    sharedMetrics
      .publish(name)
      .catch((error: unknown) => logger.debug({ reason: String(error) }, 'metrics could not be published'))
      .finally(() => {
        running = false;
      });
  };
  publish();
  const timer = setInterval(publish, PUBLISH_METRICS_MS);
  return () => clearInterval(timer);
}
