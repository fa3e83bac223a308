import type { SensorAccess } from '../access/sensor-access';
import { openAnswerBudget } from '../fairness/byte-budget';
import { FairSemaphore } from '../fairness/fair-semaphore';
import type { Quota } from '../fairness/quota';
import type { Clock } from '../platform/clock';
import type { Config } from '../platform/config';
import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { openRedis, RedisClient } from '../queue';
import type { JobQueue } from '../queue/job-queue';
import type { Database } from '../storage';
import { DataExport } from './data-points/data-export';
import { DataPointsService } from './data-points/data-points.service';
import type { HasWindows } from './data-points/point-deletion';
import type { PartitionLayout } from './inbox/partition-layout';
import { DataPointWriter } from './intake/data-point-writer';
import { toStreamedPoint } from './live/stream.view';
import { StreamsService } from './live/streams.service';
import { StreamEvents, type StreamedFirings } from './streams/stream-events';
import { StreamFeed } from './streams/stream-feed';
import { StreamSignal } from './streams/stream-signal';
import { StreamTopics } from './streams/topics';

/** Permits to compute on stored data for some milliseconds: one in a process, so that other requests come in between. */
const COMPUTING = { atOnce: 1, waitingPerTenant: 100 };

interface Parts {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
  redis: ReturnType<typeof openRedis>;
  redisClient: RedisClient;
  jobQueue: JobQueue;
  layout: PartitionLayout;
  metrics: Metrics;
  sensorAccess: SensorAccess;
  pointQuota: Quota;
  streamedFirings: StreamedFirings;
  /** True if triggers of the sensor have windows, which may hold its points. */
  hasWindows: HasWindows;
}

/** Builds uploads, reads of stored points, and the streams that follow both. */
export function buildPoints({ config, clock, logger, database, sensorAccess, pointQuota, ...parts }: Parts) {
  const { redis, redisClient, jobQueue, layout, metrics, streamedFirings, hasWindows } = parts;
  const streamSignal = new StreamSignal(redis, redisClient, config.redisPrefix);
  const streamEvents = new StreamEvents(database.reads, { toPoint: toStreamedPoint, firings: streamedFirings });
  const answerBudget = openAnswerBudget();
  const dataPointWriter = new DataPointWriter(database.uploads, jobQueue, clock, layout, metrics, streamSignal);
  const streamFeed = new StreamFeed(database, streamEvents, streamSignal, answerBudget, logger);
  const computing = new FairSemaphore<number>(COMPUTING);
  const pointReads = { reads: database.reads, computing };
  const services = {
    dataPoints: new DataPointsService(database, sensorAccess, dataPointWriter, pointQuota, pointReads, hasWindows),
    dataExport: new DataExport(pointReads, sensorAccess),
    streams: new StreamsService(database, sensorAccess, new StreamTopics(database.pool, clock), streamFeed),
  };
  return { streamSignal, answerBudget, streamFeed, dataPointWriter, computing, pointReads, services };
}
