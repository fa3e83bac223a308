import { randomUUID } from 'node:crypto';
import type { Pool } from 'mysql2/promise';
import { closeQueues } from '../jobs/queues';
import { Heartbeat } from './availability/heartbeat';
import { buildDelivery } from './delivery/build-delivery';
import { closeChannels, openChannels } from './delivery/channels';
import { Mailer } from './delivery/channels/mailer';
import { openMailTransport } from './delivery/channels/open-mail-transport';
import { DeliveryComputing } from './delivery/delivery-computing';
import { Digests } from './delivery/digests';
import { MailAllowances } from './delivery/mail/mail-allowances';
import { MailGate } from './delivery/mail/mail-gate';
import { OutgoingBuilder } from './delivery/outgoing';
import { PacedTexts } from './delivery/paced-texts';
import { VapidKeys } from './delivery/vapid-keys';
import { EventDispatcher } from './dispatch/event-dispatcher';
import { EvaluationConsumer } from './evaluation/evaluation-consumer';
import { IsolatedEvaluation } from './evaluation/isolated-evaluation';
import { openAnswerBudget } from './fairness/byte-budget';
import { buildFoundation, type Foundation } from './foundation';
import { repartitionInbox } from './inbox/inbox-rows';
import { DataPointWriter } from './intake/data-point-writer';
import { buildPurge } from './maintenance/build-purge';
import { Reconciler } from './maintenance/reconciler';
import { Schedule } from './maintenance/schedule';
import { SourceLeases } from './mqtt/source-leases';
import { SourceRunners } from './mqtt/source-runners';
import { WaitingSources } from './mqtt/waiting-sources';
import { WorkGate } from './mqtt/work-gate';
import { Packing } from './operations/packing';
import { AddressGuard } from './outbound/address-guard';
import { TlsContexts } from './outbound/tls-contexts';
import { type Clock, ServerClock } from './platform/clock';
import type { Config } from './platform/config';
import type { Logger } from './platform/logger';
import { Shutdown } from './platform/shutdown';
import { releaseVersion } from './platform/version';
import { withTimeout } from './platform/with-timeout';
import { BegunRequests } from './quarantine/begun-requests';
import { BegunWork } from './quarantine/begun-work';
import { CarefulWork } from './quarantine/careful-work';
import { LoneProcess } from './quarantine/lone-process';
import { Quarantine } from './quarantine/quarantine';
import { addProcessGauges } from './queue/process-gauges';
import { fillUsernameLooks } from './resources/accounts/username-looks';
import { toFiringView } from './resources/firings/firing.view';
import { toStreamedPoint } from './resources/streams/stream.view';
import { buildServices, type Services } from './services';
import { openDatabase } from './storage';
import { StreamEvents } from './streams/stream-events';
import { StreamFeed } from './streams/stream-feed';
import { StreamSignal } from './streams/stream-signal';
import { guardRules } from './trigger-store/rule-edit';
import { TriggerStore } from './trigger-store/trigger-store';

const CLOSE_QUEUES_MS = 2_000;

/** Everything that is built once per process. */
export type Container = ReturnType<typeof buildContainer>;

/** The composition root: the only place where services, queues and channels are made. Nothing is started. */
export function buildContainer(
  config: Config,
  logger: Logger,
  clock: Clock = new ServerClock(),
  database = openDatabase(config.mysqlUrl),
  /** True in the process that may end for what it does. */
  isLone = false,
) {
  guardRules();
  const foundation = { ...buildFoundation({ config, clock, logger, database }), isLone };
  const intake = buildIntake(foundation);
  const guarded = { ...foundation, ...buildQuarantine(foundation) };
  const outlets = buildOutlets(guarded);
  const stations = { ...guarded, ...intake, ...outlets };
  const services = buildServices(stations);
  return {
    ...stations,
    ...buildEvaluation(stations),
    ...buildMaintenance(stations, services),
    mqttSources: buildMqttSources(stations, services),
    services,
    ...lifecycle(stations, services),
  };
}

/** Uploads, and the streams that follow them. */
function buildIntake(foundation: Foundation) {
  const { config, clock, database, logger, redis, redisClient, jobQueue, layout, metrics } = foundation;
  const streamSignal = new StreamSignal(redis, redisClient, config.redisPrefix);
  const streamEvents = new StreamEvents(database.reads, { point: toStreamedPoint, firing: toFiringView }, clock);
  const answerBudget = openAnswerBudget();
  const dataPointWriter = new DataPointWriter(database.uploads, jobQueue, clock, layout, metrics, streamSignal);
  addProcessGauges(metrics.registry, {
    pools: { main: database.pool, uploads: database.uploads, ...database.reads.byLength },
    redis: redisClient,
    waitingUploads: () => dataPointWriter.waitingPoints,
    dataDir: config.dataDir,
    version: releaseVersion(),
  });
  return {
    streamSignal,
    answerBudget,
    streamFeed: new StreamFeed(database, streamEvents, streamSignal, answerBudget, logger),
    dataPointWriter,
  };
}

/** Work that ends its processes is kept apart from all other work. */
function buildQuarantine({ config, clock, logger, database, redisClient, metrics, isLone }: Given) {
  const quarantine = new Quarantine(database.pool, clock);
  const lone = new LoneProcess(logger);
  const begun = new BegunWork(redisClient, config.redisPrefix);
  const careful = isLone ? undefined : new CarefulWork({ begun, quarantine, lone, metrics, logger });
  return { quarantine, lone, careful, begunRequests: new BegunRequests(redisClient, config.redisPrefix, quarantine) };
}

type Given = Foundation & { isLone: boolean };
type Guarded = Given & ReturnType<typeof buildQuarantine>;

/** Mails and deliveries. */
function buildOutlets({ config, clock, logger, database, publicUrl, jobQueue, metrics, ...parts }: Guarded) {
  const { secretBox, shares, careful } = parts;
  const { pool } = database;
  const vapidKeys = new VapidKeys(pool, secretBox, clock);
  const mailTransport = openMailTransport(config, clock, logger);
  const tlsContexts = new TlsContexts(config.deliveryAuthorities, shares);
  const channels = openChannels({
    clock,
    allowNetworks: config.deliveryAllowNetworks,
    tlsContexts,
    mailTransport,
    publicUrl,
    vapidPair: () => vapidKeys.pair(),
  });
  const deliveryComputing = new DeliveryComputing(shares);
  const mailAllowances = new MailAllowances(pool, clock, config.mailRates);
  const delivery = buildDelivery({
    ...{ pool, jobQueue, clock, logger, metrics, channels },
    mails: new MailGate(pool, clock, mailAllowances, config.mailConfirmation, publicUrl),
    digests: new Digests(pool, clock, config.digestAfter),
    outgoing: new OutgoingBuilder(secretBox, publicUrl),
    ...{ computing: deliveryComputing, careful },
    limits: { perReceiver: config.deliveryReceiverConcurrency, perProcess: config.deliveryConcurrency },
  });
  return {
    mailTransport,
    mailer: new Mailer(mailTransport),
    tlsContexts,
    channels,
    mailAllowances,
    vapidKeys,
    delivery,
    deliveryComputing,
  };
}

type Stations = Guarded & ReturnType<typeof buildIntake> & ReturnType<typeof buildOutlets>;

/** Evaluation passes, and the dispatch of their events. */
function buildEvaluation({ config, clock, database, layout, streamSignal, ...parts }: Stations) {
  const newTexts = () => new PacedTexts(parts.shares, false);
  const observers = { ...parts, deliveries: parts.delivery.runner, newTexts };
  const store = new TriggerStore({ checksCache: config.checksCache });
  const retentionDays = config.dataRetentionDays || null;
  const setting = { pool: database.pool, clock, layout, shares: parts.shares, store, retentionDays };
  const isolated = parts.careful && new IsolatedEvaluation({ pool: database.pool, clock, layout }, parts.careful);
  return {
    evaluationConsumer: new EvaluationConsumer(setting, { ...observers, streamSignal }, isolated),
    eventDispatcher: new EventDispatcher(database.pool, clock, observers, undefined, parts.careful),
  };
}

/** Scheduled work. */
function buildMaintenance(
  { config, clock, logger, database, serverTime, ...parts }: Stations,
  { accountRemoval: accounts, selectorFollower: selectors, lateReports: latePoints, probes }: Services,
) {
  const { pool } = database;
  const { dataRetentionDays, chunkAfterMs, historyRetentionDays, deliveryRetentionDays, sessionIdleDays } = config;
  const retention = { dataRetentionDays, chunkAfterMs, historyRetentionDays, deliveryRetentionDays, sessionIdleDays };
  const reconciler = new Reconciler(pool, parts.jobQueue, parts.delivery, probes, clock);
  const { decisionLog, careful } = parts;
  const purge = buildPurge({ pool, clock, logger, accounts, decisionLog, ...(careful && { careful }), ...retention });
  return {
    heartbeat: new Heartbeat(database.heartbeats, clock, logger, (connection) => serverTime.synchronize(connection)),
    reconciler,
    purge,
    packing: new Packing(pool, clock, chunkAfterMs),
    schedule: new Schedule({ reconciler, selectors, latePoints, purge, metrics: parts.metrics }),
  };
}

/** The connections to brokers of MQTT, which the worker opens. */
function buildMqttSources({ config, database, secretBox, ...parts }: Stations, services: Services) {
  return new SourceRunners({
    leases: new SourceLeases(database.pool, randomUUID()),
    waiting: new WaitingSources(database.pool),
    messages: parts.messageLog,
    gate: new WorkGate(parts.shares),
    ...{ contexts: parts.tlsContexts, careful: parts.careful },
    writer: services.seriesWriter,
    guard: new AddressGuard(config.deliveryAllowNetworks),
    box: secretBox,
    quota: parts.pointQuota,
    ...{ clock: parts.clock, logger: parts.logger, metrics: parts.metrics },
  });
}

/** How a process begins and ends. */
function lifecycle(stations: Stations, services: Services) {
  const { config, logger, database, serverTime, layout, dataFolder, decisionLog, queues, channels } = stations;
  const synchronize = (connection: Pick<Pool, 'query'>) => serverTime.synchronize(connection);
  return {
    /**
     * Closes the data folder to other users, and brings the schema up to date and the waiting rows to their partitions.
     * Every process calls it before it works.
     */
    prepare: async () => {
      await dataFolder.open();
      await database.migrate();
      await synchronize(database.pool);
      await stations.quarantine.refresh();
      await layout.change(database.pool, config.partitions);
      await repartitionInbox(database.pool, layout.count);
      await fillUsernameLooks(database.pool);
    },
    /** Sets the clock by that of MySQL, and reads the partition count and the quarantine. */
    synchronize: async () => {
      await synchronize(database.pool);
      await stations.quarantine.refresh();
    },
    /** For a process that ends: makes all waits for MySQL fail, and logs it, once MySQL has not answered for this long. */
    stopWaitingForMysql: (limitMs: number) => {
      void database.abortOnceUnresponsive(limitMs).then((isGone) => {
        if (isGone) logger.warn({}, 'MySQL does not answer; nothing waits for it any more');
      });
    },
    /** Ends streams and stores the last decisions, then closes queues, channels, the mail server's connections, Redis, then MySQL. */
    close: async (shutdown = new Shutdown(logger)) => {
      services.streams.stop();
      stations.lone.close();
      dataFolder.stop();
      await shutdown.waitFor('Redis, to store decisions', decisionLog.flush());
      const queuesClosed = withTimeout(CLOSE_QUEUES_MS, closeQueues(queues)).catch(() => undefined); // Redis may be away
      await shutdown.waitFor('the queues in Redis', queuesClosed);
      await shutdown.waitFor('connections to receivers', closeChannels(channels));
      await shutdown.waitFor('the mail server', stations.mailTransport.close());
      await shutdown.waitFor('the connection to Redis', stations.redisClient.close());
      await shutdown.waitFor('connections to MySQL', database.close());
    },
  };
}
