import type { Pool } from 'mysql2/promise';
import { closeQueues, openQueues } from '../jobs/queues';
import { openAnswerBudget } from './api/answer-account';
import { Heartbeat } from './availability/heartbeat';
import { ServerTime } from './availability/server-time';
import { buildDelivery } from './delivery/build-delivery';
import { closeChannels, openChannels } from './delivery/channels';
import { Mailer } from './delivery/channels/mailer';
import { openMailTransport } from './delivery/channels/open-mail-transport';
import { Digests } from './delivery/digests';
import { MailAllowances } from './delivery/mail/mail-allowances';
import { MailGate } from './delivery/mail/mail-gate';
import { EventDispatcher } from './dispatch/event-dispatcher';
import { DecisionLog } from './evaluation/decision-log';
import { EvaluationConsumer } from './evaluation/evaluation-consumer';
import { FairShareScheduler } from './fairness/fair-share-scheduler';
import { Quota, type QuotaLimits } from './fairness/quota';
import { RefusedLogins } from './fairness/refused-logins';
import { repartitionInbox } from './inbox/inbox-rows';
import { PartitionLayout } from './inbox/partition-layout';
import { DataPointWriter } from './intake/data-point-writer';
import { buildPurge } from './maintenance/build-purge';
import { Reconciler } from './maintenance/reconciler';
import { Schedule } from './maintenance/schedule';
import { readLoad } from './operations/load';
import { readMysqlState, redisMemoryIn } from './operations/servers';
import { type Clock, ServerClock } from './platform/clock';
import type { Config } from './platform/config';
import { DataFolder } from './platform/data-folder';
import type { Logger } from './platform/logger';
import { Metrics } from './platform/metrics';
import { PlatformGauges } from './platform/platform-gauges';
import { readSecretsKey } from './platform/secrets-key';
import { Shutdown } from './platform/shutdown';
import { releaseVersion } from './platform/version';
import { withTimeout } from './platform/with-timeout';
import { openRedis, RedisClient } from './queue';
import { EventShares } from './queue/event-shares';
import { JobQueue } from './queue/job-queue';
import { addProcessGauges } from './queue/process-gauges';
import { ShardAssignment } from './queue/shard-assignment';
import { SharedMetrics } from './queue/shared-metrics';
import { WorkerCount } from './queue/worker-count';
import { fillUsernameLooks } from './resources/accounts/username-looks';
import { toFiringView } from './resources/firings/firing.view';
import { toStreamedPoint } from './resources/streams/stream.view';
import { SecretBox } from './rules/secret-box';
import { buildServices } from './services';
import { openDatabase } from './storage';
import { StreamEvents } from './streams/stream-events';
import { StreamFeed } from './streams/stream-feed';
import { StreamSignal } from './streams/stream-signal';
import { guardRules } from './trigger-store/rule-edit';
import { TriggerStore } from './trigger-store/trigger-store';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Window of the limit of points per second: a user who has sent nothing for a while may send it at once. */
const POINT_WINDOW_SECONDS = 10;
const CLOSE_QUEUES_MS = 2_000;
/** How long Redis may take to show that it answers. */
const REDIS_WAIT_MS = 1_000;

/** Everything that is built once per process. */
export type Container = ReturnType<typeof buildContainer>;

/** The composition root: the only place where services, queues and channels are made. Nothing is started. */
export function buildContainer(
  config: Config,
  logger: Logger,
  clock: Clock = new ServerClock(),
  database = openDatabase(config.mysqlUrl),
) {
  guardRules();
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const redis = openRedis(config.redisUrl, logger);
  const redisClient = new RedisClient(redis);
  const queues = openQueues(redis, config.redisPrefix);
  const metrics = new Metrics();
  const layout = new PartitionLayout(config.partitions);
  const serverTime = new ServerTime(clock, layout, metrics, logger);
  const platformGauges = new PlatformGauges({
    readLoad: () => readLoad(database.reads, clock),
    readMysql: () => readMysqlState(database.reads),
    readRedis: async () =>
      redisMemoryIn(await redisClient.ask(REDIS_WAIT_MS, (connection) => connection.info('memory'))),
  });
  const readPlatform = (workers: number | undefined) => platformGauges.read(workers);
  const sharedMetrics = new SharedMetrics(redisClient, config.redisPrefix, metrics, clock, readPlatform);
  const refusedLogins = new RefusedLogins(redisClient, config.redisPrefix, config.refusedLoginLimit);
  const quota = (limits: QuotaLimits) => new Quota(redisClient, config.redisPrefix, limits, logger);
  const requestQuota = quota({ counted: 'requests', limit: config.requestLimit, windowMs: MINUTE_MS });
  const registrationQuota = quota({ counted: 'registrations', limit: config.registrationLimit, windowMs: HOUR_MS });
  const pointsPerWindow = config.pointLimit * POINT_WINDOW_SECONDS;
  const pointQuota = quota({ counted: 'points', limit: pointsPerWindow, windowMs: POINT_WINDOW_SECONDS * 1_000 });
  const decisionLog = new DecisionLog(redisClient, config.redisPrefix, config.decisionsKept, logger);
  const workerCount = new WorkerCount(redisClient, config.redisPrefix, clock);
  const groups = { passes: new ShardAssignment(layout, workerCount), events: new EventShares(workerCount) };
  const jobQueue = new JobQueue(queues, redisClient, groups, logger, clock);
  const dataFolder = new DataFolder(config.dataDir, clock, logger);
  const mailTransport = openMailTransport(config, clock, logger);
  const mailer = new Mailer(mailTransport);
  const channels = openChannels({
    clock,
    allowNetworks: config.deliveryAllowNetworks,
    authorities: config.deliveryAuthorities,
    mailTransport,
    publicUrl,
  });

  const synchronize = (connection: Pick<Pool, 'query'>) => serverTime.synchronize(connection);
  const heartbeat = new Heartbeat(database.heartbeats, clock, logger, synchronize);
  const streamSignal = new StreamSignal(redis, redisClient, config.redisPrefix);
  const streamEvents = new StreamEvents(database.reads, { point: toStreamedPoint, firing: toFiringView });
  const answerBudget = openAnswerBudget();
  const streamFeed = new StreamFeed(database, streamEvents, streamSignal, answerBudget, logger);
  const dataPointWriter = new DataPointWriter(database.uploads, jobQueue, clock, layout, metrics, streamSignal);
  addProcessGauges(metrics.registry, {
    pools: { main: database.pool, uploads: database.uploads, ...database.reads.byLength },
    redis: redisClient,
    waitingUploads: () => dataPointWriter.waitingPoints,
    dataDir: config.dataDir,
    version: releaseVersion(),
  });
  const observers = { jobQueue, decisionLog, metrics, logger };
  const mailAllowances = new MailAllowances(database.pool, clock, config.mailRates);
  const delivery = buildDelivery({
    pool: database.pool,
    jobQueue,
    clock,
    logger,
    metrics,
    channels,
    mails: new MailGate(database.pool, clock, mailAllowances, config.mailConfirmation, publicUrl),
    digests: new Digests(database.pool, clock, config.digestAfter),
    limits: { perReceiver: config.deliveryReceiverConcurrency, perProcess: config.deliveryConcurrency },
  });
  const evaluationConsumer = new EvaluationConsumer(
    {
      pool: database.pool,
      clock,
      layout,
      shares: new FairShareScheduler(),
      store: new TriggerStore({ checksCache: config.checksCache }),
    },
    { ...observers, deliveries: delivery.runner, streamSignal },
  );
  const eventDispatcher = new EventDispatcher(database.pool, clock, { ...observers, deliveries: delivery.runner });

  const reconciler = new Reconciler(database.pool, jobQueue, delivery, clock);

  const secretBox = new SecretBox(() => readSecretsKey(config));
  const foundation = { config, clock, logger, database, jobQueue, refusedLogins, decisionLog, delivery };
  const services = buildServices({
    ...foundation,
    registrationQuota,
    pointQuota,
    dataPointWriter,
    streamFeed,
    mailer,
    channels,
    mailAllowances,
    secretBox,
    publicUrl,
  });
  const { dataRetentionDays, historyRetentionDays, deliveryRetentionDays, sessionIdleDays } = config;
  const retention = { dataRetentionDays, historyRetentionDays, deliveryRetentionDays, sessionIdleDays };
  const accounts = services.accountRemoval;
  const purge = buildPurge({ pool: database.pool, clock, logger, accounts, decisionLog, ...retention });
  const schedule = new Schedule({ reconciler, purge, metrics });
  return {
    ...foundation,
    answerBudget,
    redis,
    redisClient,
    queues,
    metrics,
    sharedMetrics,
    workerCount,
    requestQuota,
    layout,
    mailer,
    heartbeat,
    evaluationConsumer,
    eventDispatcher,
    reconciler,
    purge,
    schedule,
    services,
    /** Closes the data folder, and brings the schema up to date and the waiting rows to their partitions; every process calls it before it works. */
    prepare: async () => {
      await dataFolder.open();
      await database.migrate();
      await serverTime.synchronize(database.pool);
      await layout.change(database.pool, config.partitions);
      await repartitionInbox(database.pool, layout.count);
      await fillUsernameLooks(database.pool);
    },
    /** Sets the clock by that of MySQL, and learns of another number of partitions; heartbeats do so, too. */
    synchronize: () => synchronize(database.pool),
    /** For a process that ends: whatever waits for MySQL fails, and is logged, once MySQL has not answered for so long. */
    stopWaitingForMysql: (limitMs: number) => {
      void database.abortOnceUnresponsive(limitMs).then((isGone) => {
        if (isGone) logger.warn({}, 'MySQL does not answer; nothing waits for it any more');
      });
    },
    /** Ends streams and stores the last decisions, then closes queues, channels, the mail server's connections, Redis, then MySQL. */
    close: async (shutdown = new Shutdown(logger)) => {
      services.streams.stop();
      dataFolder.stop();
      await shutdown.waitFor('Redis, to store decisions', decisionLog.flush());
      const queuesClosed = withTimeout(CLOSE_QUEUES_MS, closeQueues(queues)).catch(() => undefined); // Redis may be away
      await shutdown.waitFor('the queues in Redis', queuesClosed);
      await shutdown.waitFor('connections to receivers', closeChannels(channels));
      await shutdown.waitFor('the mail server', mailTransport.close());
      await shutdown.waitFor('the connection to Redis', redisClient.close());
      await shutdown.waitFor('connections to MySQL', database.close());
    },
  };
}
