import { openQueues } from '../../jobs/queues';
import { SensorAccess } from '../access/sensor-access';
import { DecisionLog, workOwners as ofAlerts } from '../alerts';
import { RefusedAttempts } from '../audit';
import { EventLog } from '../events/event-log';
import { openWorkBudget } from '../fairness/byte-budget';
import { FairShareScheduler } from '../fairness/fair-share-scheduler';
import { BegunRequests } from '../fairness/quarantine/begun-requests';
import { BegunWork } from '../fairness/quarantine/begun-work';
import { CarefulWork } from '../fairness/quarantine/careful-work';
import { LoneProcess } from '../fairness/quarantine/lone-process';
import { Quarantine } from '../fairness/quarantine/quarantine';
import { openQuotas } from '../fairness/quota';
import { workOwners as ofGateways } from '../gateways';
import { workOwners as ofNotifications } from '../notifications';
import { LoadRecorder } from '../operators/load-recorder';
import { openSharedMetrics } from '../operators/open-shared-metrics';
import { RefusedLogins } from '../people';
import type { Clock } from '../platform/clock';
import type { Config } from '../platform/config';
import { DataFolder } from '../platform/data-folder';
import type { Logger } from '../platform/logger';
import { Metrics } from '../platform/metrics';
import { SecretBox } from '../platform/secret-box';
import { readSecretsKey } from '../platform/secrets-key';
import { PartitionLayout, ServerTime } from '../points';
import { openRedis, RedisClient } from '../queue';
import { JobQueue } from '../queue/job-queue';
import { EventShares, ShardAssignment, WorkerCount } from '../queue/shard-assignment';
import { workOwners as ofSensors } from '../sensors';
import type { Database } from '../storage';

export interface Given {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
  /** The process may end for what it does. */
  isLone: boolean;
}

const WORK_OWNERS = { ...ofNotifications, ...ofAlerts, ...ofSensors, ...ofGateways };

/** Redis, queues, clock, metrics and fairness, for all wings. */
export function buildGround(given: Given) {
  const { config, clock, logger, database, isLone } = given;
  const redis = openRedis(config.redisUrl, logger);
  const redisClient = new RedisClient(redis);
  const queues = openQueues(redis, config.redisPrefix);
  const metrics = new Metrics();
  const layout = new PartitionLayout(config.partitions);
  const workerCount = new WorkerCount(redisClient, config.redisPrefix, clock);
  const shards = { passes: new ShardAssignment(layout, workerCount), events: new EventShares(workerCount) };
  const jobQueue = new JobQueue(queues, redisClient, shards, logger, clock);
  const quarantine = new Quarantine(database.pool, clock, WORK_OWNERS);
  const lone = new LoneProcess(logger);
  const begun = new BegunWork(redisClient, config.redisPrefix);
  return {
    ...given,
    publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
    secretBox: new SecretBox(() => readSecretsKey(config)),
    dataFolder: new DataFolder(config.dataDir, clock, logger),
    /** Computing time by owner, for all kinds of work. */
    shares: new FairShareScheduler(),
    /** Bytes of work in progress by owner. */
    workBudget: openWorkBudget(),
    ...{ redis, redisClient, queues, metrics, layout, workerCount, jobQueue, quarantine, lone },
    careful: isLone ? undefined : new CarefulWork({ begun, quarantine, lone, metrics, logger }),
    begunRequests: new BegunRequests(redisClient, config.redisPrefix, quarantine),
    serverTime: new ServerTime(clock, layout, metrics, logger),
    sharedMetrics: openSharedMetrics(given, redisClient, metrics),
    loadRecorder: new LoadRecorder(database, clock, metrics.recent, logger),
    decisionLog: new DecisionLog(redisClient, config.redisPrefix, config.decisionsKept, logger),
    sensorAccess: new SensorAccess(database),
    eventLog: new EventLog(database, jobQueue, clock),
    refusedAttempts: new RefusedAttempts(database.pool, clock, logger),
    refusedLogins: new RefusedLogins(redisClient, config.redisPrefix, config.refusedLoginLimit),
    ...openQuotas(config, redisClient, logger),
  };
}

export type Ground = ReturnType<typeof buildGround>;
