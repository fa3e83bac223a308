import { openQueues } from '../jobs/queues';
import { ServerTime } from './availability/server-time';
import { DecisionLog } from './evaluation/decision-log';
import { openWorkBudget } from './fairness/byte-budget';
import { FairShareScheduler } from './fairness/fair-share-scheduler';
import { Quota, type QuotaLimits } from './fairness/quota';
import { RefusedLogins } from './fairness/refused-logins';
import { PartitionLayout } from './inbox/partition-layout';
import { MessageLog } from './mqtt/message-log';
import { readLoad } from './operations/load';
import { LoadRecorder } from './operations/load-recorder';
import { readMysqlState, redisMemoryIn } from './operations/servers';
import type { Clock } from './platform/clock';
import type { Config } from './platform/config';
import { DataFolder } from './platform/data-folder';
import type { Logger } from './platform/logger';
import { Metrics } from './platform/metrics';
import { PlatformGauges } from './platform/platform-gauges';
import { readSecretsKey } from './platform/secrets-key';
import { openRedis, RedisClient } from './queue';
import { JobQueue } from './queue/job-queue';
import { EventShares, ShardAssignment, WorkerCount } from './queue/shard-assignment';
import { SharedMetrics } from './queue/shared-metrics';
import { SecretBox } from './rules/secret-box';
import type { Database } from './storage';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Window of the limit of points per second: a user who has sent nothing for a while may send it at once. */
const POINT_WINDOW_SECONDS = 10;
/** How long Redis may take to show that it answers. */
const REDIS_WAIT_MS = 1_000;

/** The parts that each process is given. */
export interface Given {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
}

export type Foundation = ReturnType<typeof buildFoundation>;

/** Builds the parts that all stations need: the way to Redis, the queues, the clock of the servers, and the metrics. */
export function buildFoundation(given: Given) {
  const { config, clock, logger } = given;
  const redis = openRedis(config.redisUrl, logger);
  const redisClient = new RedisClient(redis);
  const queues = openQueues(redis, config.redisPrefix);
  const metrics = new Metrics();
  const layout = new PartitionLayout(config.partitions);
  const workerCount = new WorkerCount(redisClient, config.redisPrefix, clock);
  const groups = { passes: new ShardAssignment(layout, workerCount), events: new EventShares(workerCount) };
  return {
    ...given,
    publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
    secretBox: new SecretBox(() => readSecretsKey(config)),
    dataFolder: new DataFolder(config.dataDir, clock, logger),
    /** The computing time of each owner in this process, for all kinds of work. */
    shares: new FairShareScheduler(),
    /** The bytes that work in progress holds for each owner. */
    workBudget: openWorkBudget(),
    redis,
    redisClient,
    queues,
    metrics,
    layout,
    workerCount,
    serverTime: new ServerTime(clock, layout, metrics, logger),
    sharedMetrics: shareMetrics(given, redisClient, metrics),
    loadRecorder: new LoadRecorder(given.database, clock, metrics.recent, logger),
    decisionLog: new DecisionLog(redisClient, config.redisPrefix, config.decisionsKept, logger),
    messageLog: new MessageLog(redisClient, config.redisPrefix, logger),
    jobQueue: new JobQueue(queues, redisClient, groups, logger, clock),
    ...buildQuotas(given, redisClient),
  };
}

/** Metrics of the whole platform, which one process at a time reads. */
function shareMetrics({ config, clock, database }: Given, redis: RedisClient, metrics: Metrics): SharedMetrics {
  const gauges = new PlatformGauges({
    readLoad: () => readLoad(database.reads, clock),
    readMysql: () => readMysqlState(database.reads),
    readRedis: async () => redisMemoryIn(await redis.ask(REDIS_WAIT_MS, (connection) => connection.info('memory'))),
  });
  return new SharedMetrics(redis, config.redisPrefix, metrics, clock, (workers) => gauges.read(workers));
}

function buildQuotas({ config, logger }: Given, redis: RedisClient) {
  const quota = (limits: QuotaLimits) => new Quota(redis, config.redisPrefix, limits, logger);
  const pointsPerWindow = config.pointLimit * POINT_WINDOW_SECONDS;
  return {
    refusedLogins: new RefusedLogins(redis, config.redisPrefix, config.refusedLoginLimit),
    requestQuota: quota({ counted: 'requests', limit: config.requestLimit, windowMs: MINUTE_MS }),
    registrationQuota: quota({ counted: 'registrations', limit: config.registrationLimit, windowMs: HOUR_MS }),
    pointQuota: quota({ counted: 'points', limit: pointsPerWindow, windowMs: POINT_WINDOW_SECONDS * 1_000 }),
  };
}
