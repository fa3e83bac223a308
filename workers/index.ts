import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { QUEUE_NAMES } from '../jobs/queues';
import { ensureSchedules } from '../jobs/schedule.job';
import { buildContainer, type Container } from '../src/container';
import { checkStart } from '../src/operators/startup-checks';
import { createLogger } from '../src/platform/logger';
import { runUntilSignal } from '../src/platform/process';
import type { Shutdown } from '../src/platform/shutdown';
import { registry } from './registry';
import { runWorker } from './run-worker';

const PUBLISH_METRICS_MS = 5_000;
/** Reads MySQL's clock and the partition count. */
const SYNCHRONIZE_MS = 2_000;
/** Makes missing repeatable jobs. */
const SCHEDULE_MS = 2_000;
const MYSQL_GONE_MS = 8_000;

void runUntilSignal('worker', async (environment) => {
  const { config, warnings } = await checkStart(environment);
  const logger = createLogger(config.logLevel, 'worker');
  for (const warning of warnings) logger.warn({}, warning);
  const container = buildContainer(config, logger);
  await container.prepare();
  const { workerCount, queues, redisClient } = container;
  const name = `${hostname()}-${process.pid}`;
  const stopReporting = report(container, name);
  const workers = QUEUE_NAMES.map((queue) => runWorker(queue, registry[queue], container));
  const stopScheduling = repeat(
    SCHEDULE_MS,
    async () => {
      if (redisClient.isReady) await ensureSchedules(queues.schedule);
    },
    (reason) => logger.debug({ reason }, 'the repeatable jobs could not be looked for'),
  );
  container.mqttSources.open();
  container.loadRecorder.start({ samples: false });
  logger.info({ queues: QUEUE_NAMES }, 'taking jobs');
  const stop = async (shutdown: Shutdown) => {
    shutdown.begin();
    container.stopWaitingForMysql(MYSQL_GONE_MS);
    stopReporting();
    stopScheduling();
    container.purge.stop();
    container.archiveJobs.stop();
    await shutdown.waitFor('Redis, to leave the count of workers', workerCount.leave(name));
    await Promise.all([
      ...workers.map((worker) => shutdown.waitFor(() => worker.describe(), worker.close())),
      shutdown.waitFor(() => container.mqttSources.describe(), container.mqttSources.close()),
    ]);
    await shutdown.waitFor('the write-behind buffer', container.evaluationConsumer.close());
    await shutdown.waitFor('the last counts', container.loadRecorder.stop());
    await container.close(shutdown);
    logger.info({}, 'stopped');
  };
  return { logger, stop };
});

function report({ config, logger, sharedMetrics, workerCount, synchronize }: Container, name: string): () => void {
  // While Redis is unreachable nothing is lost: counters are published once it is back.
  const stopPublishing = repeat(
    PUBLISH_METRICS_MS,
    async () => {
      await workerCount.announce(name);
      await sharedMetrics.publish(name);
    },
    (reason) => logger.debug({ reason }, 'metrics could not be published'),
  );
  const stopSynchronizing = repeat(
    SYNCHRONIZE_MS,
    async () => {
      await synchronize();
      if (config.aliveFile) await writeFile(config.aliveFile, '');
    },
    (reason) => logger.debug({ reason }, 'MySQL could not be read, or the file of health checks not be written'),
  );
  return () => {
    stopPublishing();
    stopSynchronizing();
  };
}

/** Now and at every interval, never twice at once, until stopped. */
function repeat(everyMs: number, work: () => Promise<void>, onError: (reason: string) => void): () => void {
  let running = false;
  const once = () => {
    if (running) return;
    running = true;
    work()
      .catch((error: unknown) => onError(String(error)))
      .finally(() => {
        running = false;
      });
  };
  once();
  const timer = setInterval(once, everyMs);
  return () => clearInterval(timer);
}
