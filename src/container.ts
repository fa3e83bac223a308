import type { Redis } from 'ioredis';
import { closeQueues, openQueues, type Queues } from '../jobs/queues';
import { buildChannels } from './channels';
import { type Clock, systemClock } from './clock';
import type { Config } from './config';
import { type Database, openDatabase } from './database';
import { AttemptLog } from './deliveries/attempt-log';
import { DeliveryClaims } from './deliveries/delivery-claims';
import { DeliverySender } from './deliveries/delivery-sender';
import { EventDispatcher } from './deliveries/event-dispatcher';
import { ParkedDeliveries } from './deliveries/parked-deliveries';
import { ReceiverSlots } from './deliveries/receiver-slots';
import { EventLog } from './events/event-log';
import { type ControllerFactories, listControllers } from './http/controllers';
import { DataPointWriter } from './ingest/data-point-writer';
import { Heartbeat } from './ingest/heartbeat';
import { repartitionInbox } from './ingest/inbox';
import type { Logger } from './logger';
import { Purge } from './maintenance/purge';
import { Schedule } from './maintenance/schedule';
import { Sweep } from './maintenance/sweep';
import { Metrics } from './metrics';
import { openRedis } from './redis';
import { DecisionLog } from './redis/decision-log';
import { JobQueue } from './redis/job-queue';
import { RefusedLogins } from './redis/refused-logins';
import { RequestLimit } from './redis/request-limit';
import { SharedMetrics } from './redis/shared-metrics';
import { GroupAccess } from './services/access/group-access';
import { SensorAccess } from './services/access/sensor-access';
import { AccountMails } from './services/accounts/account-mails';
import { AccountsService } from './services/accounts/accounts.service';
import { Passwords } from './services/accounts/passwords';
import { SessionsService } from './services/accounts/sessions.service';
import { UsersService } from './services/accounts/users.service';
import { DataPointsService } from './services/data-points/data-points.service';
import { GroupAdmission } from './services/groups/group-admission';
import { leaveAllGroups } from './services/groups/group-departure';
import { GroupDoor } from './services/groups/group-door';
import { GroupJoiningService } from './services/groups/group-joining.service';
import { GroupSensorsService } from './services/groups/group-sensors.service';
import { GroupUsersService } from './services/groups/group-users.service';
import { GroupsService } from './services/groups/groups.service';
import { MetatagSearch } from './services/metatags/metatag-search';
import { MetatagsService } from './services/metatags/metatags.service';
import { DeliveriesService } from './services/notifications/deliveries.service';
import { EventNotificationsService } from './services/notifications/event-notifications.service';
import { NotificationsService } from './services/notifications/notifications.service';
import { RedeliveriesService } from './services/notifications/redeliveries.service';
import { UnsubscribesService } from './services/notifications/unsubscribes.service';
import { DevicesService } from './services/sensors/devices.service';
import { EnvironmentSensorsService } from './services/sensors/environment-sensors.service';
import { EnvironmentsService } from './services/sensors/environments.service';
import { SensorUsersService } from './services/sensors/sensor-users.service';
import { SensorsService } from './services/sensors/sensors.service';
import { detachFromOthers, raiseRemovalEvents } from './services/sensors/user-removal';
import { BacktestsService } from './services/triggers/backtests.service';
import { SensorTriggersService } from './services/triggers/sensor-triggers.service';
import { TriggerNotificationsService } from './services/triggers/trigger-notifications.service';
import { TriggersService } from './services/triggers/triggers.service';
import { ConnectedSensorsService } from './services/virtual-sensors/connected-sensors.service';
import { SensorServicesService } from './services/virtual-sensors/sensor-services.service';
import { ServiceMethodsService } from './services/virtual-sensors/service-methods.service';
import { TrainingService } from './services/virtual-sensors/training.service';
import { TrainingJobs } from './services/virtual-sensors/training-jobs';

/** Everything that is built once per process. */
export interface Container {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
  redis: Redis;
  queues: Queues;
  jobQueue: JobQueue;
  channels: ReturnType<typeof buildChannels>;
  metrics: Metrics;
  sharedMetrics: SharedMetrics;
  heartbeat: Heartbeat;
  sender: DeliverySender;
  sweep: Sweep;
  purge: Purge;
  schedule: Schedule;
  trainingJobs: TrainingJobs;
  eventDispatcher: EventDispatcher;
  decisionLog: DecisionLog;
  refusedLogins: RefusedLogins;
  requestLimit: RequestLimit;
  sessions: SessionsService;
  users: UsersService;
  sensorAccess: SensorAccess;
  sensors: SensorsService;
  controllers: ControllerFactories;
  /** Brings the schema up to date and the waiting rows to their partitions; every process calls it before it works. */
  prepare(): Promise<void>;
  /** Closes queues, channels, Redis, then MySQL. */
  close(): Promise<void>;
}

/** The composition root: the only place where services, queues and channels are made. Nothing is started. */
export function buildContainer(config: Config, logger: Logger, clock: Clock = systemClock): Container {
  const database = openDatabase(config.mysqlUrl);
  const redis = openRedis(config.redisUrl, logger);
  const queues = openQueues(redis, config.redisPrefix);
  const jobQueue = new JobQueue(queues, logger);
  const { smtpUrl, mailFrom, dataDir, deliveryAllowNetworks: allowNetworks } = config;
  const channels = buildChannels({ smtpUrl, mailFrom, dataDir, allowNetworks }, { logger, clock });
  const metrics = new Metrics();
  const sharedMetrics = new SharedMetrics(redis, config.redisPrefix, metrics, clock);
  const heartbeat = new Heartbeat(database.pool, clock, logger);
  const writer = new DataPointWriter(database.pool, jobQueue, clock, config.partitions, metrics);
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const attemptLog = new AttemptLog(database.pool, jobQueue, clock, metrics);
  const slots = new ReceiverSlots(database.pool, clock, config.deliveryReceiverConcurrency);
  const parked = new ParkedDeliveries(database.pool, slots, jobQueue, clock);
  const claims = new DeliveryClaims(database.pool, slots, parked, clock, config.deliveryConcurrency);
  const sender = new DeliverySender(claims, channels, attemptLog, clock, publicUrl);
  const sweep = new Sweep(database.pool, jobQueue, parked, clock, config.partitions);
  const purge = new Purge(database.pool, clock, config.dataRetentionDays);
  const schedule = new Schedule(sweep, purge);
  const eventDispatcher = new EventDispatcher(database.pool, jobQueue, clock);
  const eventLog = new EventLog(database, jobQueue, clock);
  const eventNotifications = new EventNotificationsService(database, clock);
  const passwords = new Passwords();
  const refusedLogins = new RefusedLogins(redis, config.redisPrefix, config.refusedLoginLimit);
  const decisionLog = new DecisionLog(redis, config.redisPrefix, config.decisionsKeptOf, logger);
  const requestLimit = new RequestLimit(redis, config.redisPrefix, config.requestLimit, logger);
  const accountMails = new AccountMails(channels.mailer, publicUrl, logger);
  const sessions = new SessionsService(database, passwords, refusedLogins, clock);
  const accounts = new AccountsService(database, passwords, accountMails, clock);
  const users = new UsersService(database, passwords, accountMails, clock, [
    raiseRemovalEvents(eventLog),
    leaveAllGroups(eventLog),
    detachFromOthers,
  ]);
  const sensorAccess = new SensorAccess(database);
  const groupAccess = new GroupAccess();
  const groups = new GroupsService(database, groupAccess, passwords, eventLog, clock);
  const groupUsers = new GroupUsersService(database, groupAccess, eventLog);
  const groupSensors = new GroupSensorsService(database, groupAccess, sensorAccess, eventLog, clock);
  const groupDoor = new GroupDoor(passwords, refusedLogins);
  const groupAdmission = new GroupAdmission(groupSensors, eventLog, clock);
  const groupJoining = new GroupJoiningService(database, users, groupAccess, groupDoor, groupAdmission);
  const sensors = new SensorsService(database, sensorAccess, groupAccess, eventLog, clock);
  const sensorUsers = new SensorUsersService(database, sensorAccess, users, eventLog, clock);
  const metatags = new MetatagsService(database, sensorAccess, eventLog);
  const metatagSearch = new MetatagSearch(database, groupAccess);
  const devices = new DevicesService(database, sensorAccess, eventLog);
  const environments = new EnvironmentsService(database, eventLog, clock);
  const environmentSensors = new EnvironmentSensorsService(database, sensorAccess, eventLog);
  const dataPoints = new DataPointsService(database, sensorAccess, writer);
  const sensorServices = new SensorServicesService(database, sensorAccess, eventLog, clock);
  const connectedSensors = new ConnectedSensorsService(database, sensorAccess, eventLog, clock, sensorServices);
  const serviceMethods = new ServiceMethodsService(database, sensorAccess);
  const trainingJobs = new TrainingJobs(database, jobQueue, clock);
  const learning = new TrainingService(database, sensorAccess, serviceMethods, trainingJobs);
  const triggers = new TriggersService(database, eventLog, clock);
  const backtests = new BacktestsService(database, sensorAccess, clock);
  const sensorTriggers = new SensorTriggersService(database, sensorAccess, eventLog, clock);
  const notifications = new NotificationsService(database, eventLog, clock);
  const triggerNotifications = new TriggerNotificationsService(database, sensorTriggers, notifications);
  const redeliveries = new RedeliveriesService(database, notifications, jobQueue, clock);
  const unsubscribes = new UnsubscribesService(database.pool, jobQueue, clock);
  const deliveries = new DeliveriesService(database.pool, notifications, jobQueue, clock);

  const controllers = listControllers({
    accounts,
    backtests,
    clock,
    connectedSensors,
    dataPoints,
    decisionLog,
    deliveries,
    devices,
    environmentSensors,
    environments,
    eventNotifications,
    groupJoining,
    groupSensors,
    groupUsers,
    groups,
    learning,
    metatagSearch,
    metatags,
    notifications,
    redeliveries,
    sensorServices,
    sensorTriggers,
    sensorUsers,
    sensors,
    serviceMethods,
    sessions,
    triggerNotifications,
    triggers,
    unsubscribes,
    users,
  });

  const prepare = async () => {
    await database.migrate();
    await repartitionInbox(database.pool, config.partitions);
  };
  const close = async () => {
    await closeQueues(queues);
    await channels.close();
    await redis.quit().catch(() => redis.disconnect());
    await database.close();
  };
  return {
    config,
    clock,
    logger,
    database,
    redis,
    queues,
    jobQueue,
    channels,
    metrics,
    sharedMetrics,
    heartbeat,
    sender,
    sweep,
    purge,
    schedule,
    trainingJobs,
    eventDispatcher,
    decisionLog,
    refusedLogins,
    requestLimit,
    sessions,
    users,
    sensorAccess,
    sensors,
    controllers,
    prepare,
    close,
  };
}
