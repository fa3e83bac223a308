import type { Pool } from 'mysql2/promise';
import { closeQueues, openQueues } from '../jobs/queues';
import { guardRules } from './access/rule-edit';
import { SensorAccess } from './access/sensor-access';
import {
  guardedModels as alertModels,
  buildAlerts,
  buildEpisodes,
  DecisionLog,
  deleteTriggers,
  hasWindows,
  workOwners as ofAlerts,
  RecordedHolders,
  StreamedFirings,
  toFiringView,
} from './alerts';
import { buildArchives, deleteArchives } from './archives';
import { AuditLog, RefusedAttempts, removeHistory } from './audit';
import { EventLog } from './events/event-log';
import { openWorkBudget } from './fairness/byte-budget';
import { FairShareScheduler } from './fairness/fair-share-scheduler';
import { BegunRequests } from './fairness/quarantine/begun-requests';
import { BegunWork } from './fairness/quarantine/begun-work';
import { CarefulWork } from './fairness/quarantine/careful-work';
import { LoneProcess } from './fairness/quarantine/lone-process';
import { Quarantine } from './fairness/quarantine/quarantine';
import { openQuotas } from './fairness/quota';
import { buildGateways, deleteMqttSources, workOwners as ofGateways } from './gateways';
import { buildMaintenance } from './maintenance/build-maintenance';
import {
  buildDeliveries,
  buildNotifications,
  closeChannels,
  type Deliveries,
  deleteNotifications,
  workOwners as ofNotifications,
} from './notifications';
import { buildOperations } from './operators';
import { LoadRecorder } from './operators/load-recorder';
import { openSharedMetrics } from './operators/open-shared-metrics';
import {
  AccountRemoval,
  buildPeople,
  forgetFormerMemberships,
  forgetInvitations,
  leaveGroups,
  RefusedLogins,
  removeApplications,
} from './people';
import { type Clock, ServerClock } from './platform/clock';
import type { Config } from './platform/config';
import { DataFolder } from './platform/data-folder';
import type { Logger } from './platform/logger';
import { Metrics } from './platform/metrics';
import { SecretBox } from './platform/secret-box';
import { readSecretsKey } from './platform/secrets-key';
import { Shutdown } from './platform/shutdown';
import { releaseVersion } from './platform/version';
import { withTimeout } from './platform/with-timeout';
import { buildPoints, type DataPointWriter, PartitionLayout, repartitionInbox, ServerTime } from './points';
import { openRedis, RedisClient } from './queue';
import { JobQueue } from './queue/job-queue';
import { addProcessGauges } from './queue/process-gauges';
import { EventShares, ShardAssignment, WorkerCount } from './queue/shard-assignment';
import {
  buildSensors,
  deleteDashboards,
  workOwners as ofSensors,
  SensorsOfClosedAccounts,
  guardedModels as sensorModels,
} from './sensors';
import { type Database, openDatabase } from './storage';

const CLOSE_QUEUES_MS = 2_000;

interface Given {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
  /** The process may end for what it does. */
  isLone: boolean;
}

const WORK_OWNERS = { ...ofNotifications, ...ofAlerts, ...ofSensors, ...ofGateways };

/** Everything that is built once per process. */
export type Container = ReturnType<typeof buildContainer>;

export type Services = Container['services'];

/** Builds the ground, then each wing on those below it. Starts nothing. */
export function buildContainer(
  config: Config,
  logger: Logger,
  clock: Clock = new ServerClock(),
  database = openDatabase(config.mysqlUrl),
  isLone = false,
) {
  guardRules([...alertModels, ...sensorModels]);
  const given = { config, logger, clock, database, isLone };
  const streamedFirings = new StreamedFirings(database.reads, clock, toFiringView);
  const holders = new RecordedHolders(database.pool);
  const ground = { ...buildGround(given), streamedFirings, hasWindows, holders };
  const points = buildPoints(ground);
  const deliveries = buildDeliveries(ground);
  const base = { ...ground, ...points, ...deliveries };
  const episodes = buildEpisodes(base);
  const notifications = buildNotifications({ ...base, ...episodes });
  const alerts = buildAlerts({ ...base, ...episodes, ...notifications.services });
  const people = buildPeople({
    ...{ ...base, ...notifications, accountRemoval: buildRemoval(ground, episodes) },
    weeklyMails: alerts.services.weeklyMails,
  });
  const lower = { ...points.services, ...notifications.services, ...alerts.services, ...people.services };
  const sensors = buildSensors({ ...base, ...episodes, services: lower });
  const gateways = buildGateways(base);
  const used = { ...lower, ...sensors.services, ...gateways.services, auditLog: new AuditLog(database) };
  const archives = buildArchives({ ...base, services: used });
  const services = { ...used, ...archives.services };
  const operations = buildOperations({ ...services, ...base });
  measureProcess(ground, points.dataPointWriter);
  return {
    ...base,
    evaluationConsumer: alerts.evaluationConsumer,
    eventDispatcher: notifications.eventDispatcher,
    mqttSources: gateways.mqttSources,
    archiveJobs: archives.archiveJobs,
    ...buildMaintenance({ ...base, ...services }),
    services: { ...services, clock, decisionLog: ground.decisionLog, sensorAccess: ground.sensorAccess, operations },
    ...lifecycle(base, points.services.streams),
  };
}

/** Redis, queues, clock, metrics and fairness, for all wings. */
function buildGround(given: Given) {
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

type Ground = ReturnType<typeof buildGround>;

function buildRemoval(ground: Ground, { ends }: ReturnType<typeof buildEpisodes>): AccountRemoval {
  const { database, clock, logger, eventLog } = ground;
  const closed = new SensorsOfClosedAccounts(database, { events: eventLog, ends }, clock);
  // What others can see goes first: nothing is delivered from the first step on.
  return new AccountRemoval(database, clock, logger, [
    deleteArchives,
    deleteDashboards,
    deleteMqttSources,
    deleteNotifications,
    closed.seenByOthers,
    closed.shares,
    leaveGroups(eventLog, clock),
    forgetFormerMemberships,
    forgetInvitations,
    closed.all,
    deleteTriggers,
    removeApplications,
    closed.places,
    removeHistory,
  ]);
}

function measureProcess({ config, database, redisClient, metrics }: Ground, writer: DataPointWriter): void {
  addProcessGauges(metrics.registry, {
    pools: { main: database.pool, uploads: database.uploads, ...database.reads.byLength },
    redis: redisClient,
    waitingUploads: () => writer.waitingPoints,
    dataDir: config.dataDir,
    version: releaseVersion(),
  });
}

function lifecycle(base: Ground & Deliveries, streams: { stop(): void }) {
  const { config, logger, database, serverTime, layout, dataFolder, decisionLog, queues, channels } = base;
  const synchronize = (connection: Pick<Pool, 'query'>) => serverTime.synchronize(connection);
  return {
    /** Closes the data folder to other users, and brings schema and waiting rows up to date. Call before any work. */
    prepare: async () => {
      await dataFolder.open();
      await database.migrate();
      await synchronize(database.pool);
      await base.quarantine.refresh();
      await layout.change(database.pool, config.partitions);
      await repartitionInbox(database.pool, layout.count);
    },
    /** Sets the clock by MySQL, and reads the partition count and the quarantine. */
    synchronize: async () => {
      await synchronize(database.pool);
      await base.quarantine.refresh();
    },
    /** All waits for MySQL fail, with a line in the log, once it has not answered for this long. */
    stopWaitingForMysql: (limitMs: number) => {
      void database.abortOnceUnresponsive(limitMs).then((isGone) => {
        if (isGone) logger.warn({}, 'MySQL does not answer; nothing waits for it any more');
      });
    },
    /** Ends streams, stores the last decisions, then closes queues, channels, mail connections, Redis and MySQL. */
    close: async (shutdown = new Shutdown(logger)) => {
      streams.stop();
      base.lone.close();
      dataFolder.stop();
      await shutdown.waitFor('Redis, to store decisions', decisionLog.flush());
      const queuesClosed = withTimeout(CLOSE_QUEUES_MS, closeQueues(queues)).catch(() => undefined); // Redis may be away
      await shutdown.waitFor('the queues in Redis', queuesClosed);
      await shutdown.waitFor('connections to receivers', closeChannels(channels));
      await shutdown.waitFor('the mail server', base.mailTransport.close());
      await shutdown.waitFor('MySQL, to record refused attempts', base.refusedAttempts.flush());
      await shutdown.waitFor('the connection to Redis', base.redisClient.close());
      await shutdown.waitFor('connections to MySQL', database.close());
    },
  };
}
