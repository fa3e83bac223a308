import type { OpenChannels } from '../channels';
import type { Mailer } from '../channels/mailer';
import type { Clock } from '../clock';
import type { Config } from '../config';
import type { Database } from '../database';
import type { MailAllowances } from '../deliveries/mail-allowances';
import type { SecretBox } from '../domain/secret-box';
import { EventLog } from '../events/event-log';
import type { DataPointWriter } from '../ingest/data-point-writer';
import type { Logger } from '../logger';
import type { DecisionLog } from '../redis/decision-log';
import type { JobQueue } from '../redis/job-queue';
import type { PointLimit } from '../redis/point-limit';
import type { RefusedLogins } from '../redis/refused-logins';
import type { RequestLimit } from '../redis/request-limit';
import type { StreamFeed } from '../streams/stream-feed';
import { StreamTopics } from '../streams/topics';
import { SensorAccess } from './access/sensor-access';
import { SensorList } from './access/sensor-list';
import { AccountRemoval } from './accounts/account-removal';
import { BearerTokens } from './accounts/bearer-tokens';
import { BlockedUsersService } from './accounts/blocked-users.service';
import { buildAccounts } from './accounts/build-accounts';
import { KeysService } from './accounts/keys.service';
import { ApplicationsService } from './applications/applications.service';
import { removeApplications } from './applications/applications-of-closed-accounts';
import { AuthorizationsService } from './applications/authorizations.service';
import { buildOAuth1 } from './applications/build-oauth1';
import { ClientSecrets } from './applications/client-secrets';
import { DataExport } from './data-points/data-export';
import { DataPointsService } from './data-points/data-points.service';
import { forgetFormerMemberships } from './groups/former-members';
import { leaveGroups } from './groups/group-departure';
import { GroupMembersService } from './groups/group-members.service';
import { GroupSensorsService } from './groups/group-sensors.service';
import { GroupsService } from './groups/groups.service';
import { MembershipsService } from './groups/memberships.service';
import { NewMembers } from './groups/new-members';
import { MetatagSearch } from './metatags/metatag-search';
import { MetatagsService } from './metatags/metatags.service';
import { DeliveriesService } from './notifications/deliveries.service';
import { EventNotificationsService } from './notifications/event-notifications.service';
import { deleteNotifications } from './notifications/notification-removal';
import { NotificationsService } from './notifications/notifications.service';
import { OperatorDeliveriesService } from './notifications/operator-deliveries.service';
import { RedeliveriesService } from './notifications/redeliveries.service';
import { RequestedSends } from './notifications/requested-sends';
import { UnsubscribesService } from './notifications/unsubscribes.service';
import { buildOAuth2 } from './oauth2';
import { buildOperations } from './operations';
import { DevicesService } from './sensors/devices.service';
import { EnvironmentSensorsService } from './sensors/environment-sensors.service';
import { EnvironmentsService } from './sensors/environments.service';
import { SensorRetentionService } from './sensors/sensor-retention.service';
import { SensorUsersService } from './sensors/sensor-users.service';
import { SensorsService } from './sensors/sensors.service';
import { SensorsOfClosedAccounts } from './sensors/sensors-of-closed-accounts';
import { StreamsService } from './streams/streams.service';
import { BacktestsService } from './triggers/backtests.service';
import { FiringsService } from './triggers/firings.service';
import { MailedAcknowledgements } from './triggers/mailed-acknowledgements';
import { MutesService } from './triggers/mutes.service';
import { SensorTriggersService } from './triggers/sensor-triggers.service';
import { TriggerNotificationsService } from './triggers/trigger-notifications.service';
import { deleteTriggers } from './triggers/trigger-removal';
import { TriggersService } from './triggers/triggers.service';
import { ConnectedSensorsService } from './virtual-sensors/connected-sensors.service';
import { SensorServicesService } from './virtual-sensors/sensor-services.service';
import { ServiceConnectionsService } from './virtual-sensors/service-connections.service';
import { ServiceMethodsService } from './virtual-sensors/service-methods.service';
import { TrainingService } from './virtual-sensors/training.service';
import { TrainingJobs } from './virtual-sensors/training-jobs';

/** What the use cases stand on. */
interface Foundation {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
  jobQueue: JobQueue;
  refusedLogins: RefusedLogins;
  registrationLimit: RequestLimit;
  pointLimit: PointLimit;
  decisionLog: DecisionLog;
  dataPointWriter: DataPointWriter;
  streamFeed: StreamFeed;
  mailer: Mailer;
  channels: OpenChannels;
  mailAllowances: MailAllowances;
  secretBox: SecretBox;
  publicUrl: string;
}

export type Services = ReturnType<typeof buildServices>;

/** Makes the use cases, in the order in which they need each other. */
export function buildServices(foundation: Foundation) {
  const {
    config,
    clock,
    logger,
    database,
    jobQueue,
    refusedLogins,
    decisionLog,
    dataPointWriter,
    pointLimit,
    streamFeed,
    channels,
    mailAllowances,
    secretBox,
  } = foundation;
  const eventLog = new EventLog(database, jobQueue, clock);
  const sensorsOfClosed = new SensorsOfClosedAccounts(database, eventLog, clock);
  // What reaches others first: from the first step on nothing is delivered any more.
  const accountRemoval = new AccountRemoval(database, clock, logger, [
    deleteNotifications,
    sensorsOfClosed.seenByOthers,
    sensorsOfClosed.shares,
    leaveGroups(eventLog),
    forgetFormerMemberships,
    sensorsOfClosed.all,
    deleteTriggers,
    removeApplications,
    sensorsOfClosed.places,
  ]);
  const sensorAccess = new SensorAccess(database);
  const keys = new KeysService(database, sensorAccess, eventLog, clock);
  const applications = new ApplicationsService(database, secretBox, clock);
  const authorizations = new AuthorizationsService(database, eventLog, clock);
  const clientSecrets = new ClientSecrets(secretBox, refusedLogins);
  const oauth1 = buildOAuth1({ database, clientSecrets, secretBox, authorizations, clock });
  const oauth2 = buildOAuth2({ database, clientSecrets, authorizations, eventLog, clock });
  const { passwords, guardedPasswords, consents, ...accounts } = buildAccounts({
    ...foundation,
    accountRemoval,
    keys,
    authorizations,
    applications,
  });
  const blockedUsers = new BlockedUsersService(database, eventLog, clock);
  const bearerTokens = new BearerTokens([keys, oauth2.oauth2Access]);
  const groups = new GroupsService(database, passwords, eventLog, clock);
  const groupMembers = new GroupMembersService(database, eventLog);
  const groupSensors = new GroupSensorsService(database, sensorAccess, eventLog, clock);
  const newMembers = new NewMembers(groupSensors, eventLog, clock);
  const memberships = new MembershipsService(database, guardedPasswords, groupSensors, newMembers, eventLog);
  const sensorList = new SensorList(database.pool);
  const sensors = new SensorsService(database, sensorAccess, sensorList, eventLog, clock);
  const sensorUsers = new SensorUsersService(database, sensorAccess, eventLog, clock);
  const metatags = new MetatagsService(database, sensorAccess, eventLog);
  const metatagSearch = new MetatagSearch(database);
  const sensorRetention = new SensorRetentionService(database, sensorAccess, config.dataRetentionDays || null);
  const devices = new DevicesService(database, sensorAccess, eventLog);
  const environments = new EnvironmentsService(database, eventLog, clock);
  const environmentSensors = new EnvironmentSensorsService(database, sensorAccess, eventLog);
  const dataPoints = new DataPointsService(database, sensorAccess, dataPointWriter, pointLimit);
  const dataExport = new DataExport(database.reads, sensorAccess);
  const streams = new StreamsService(database, sensorAccess, new StreamTopics(database.pool, clock), streamFeed);
  const sensorServices = new SensorServicesService(sensorList, sensorAccess);
  const serviceConnections = new ServiceConnectionsService(database, sensorAccess, eventLog, clock);
  const connectedSensors = new ConnectedSensorsService(database, sensorAccess, eventLog, clock, serviceConnections);
  const serviceMethods = new ServiceMethodsService(database, sensorAccess);
  const trainingJobs = new TrainingJobs(database, jobQueue, clock);
  const training = new TrainingService(database, sensorAccess, serviceMethods, trainingJobs);
  const triggers = new TriggersService(database, eventLog, clock);
  const backtests = new BacktestsService(database, sensorAccess, clock);
  const sensorTriggers = new SensorTriggersService(database, sensorAccess, eventLog, clock);
  const firings = new FiringsService(database, jobQueue, clock);
  const mailedAcknowledgements = new MailedAcknowledgements(database.pool, firings);
  const mutes = new MutesService(database, sensorAccess, clock);
  const notifications = new NotificationsService(database, eventLog, clock, consents, channels);
  const triggerNotifications = new TriggerNotificationsService(database, sensorTriggers, notifications);
  const eventNotifications = new EventNotificationsService(database, clock);
  const sends = new RequestedSends(database.pool, mailAllowances, consents, config.testLimit, clock);
  const redeliveries = new RedeliveriesService(database, notifications, jobQueue, clock, sends);
  const unsubscribes = new UnsubscribesService(database.pool, jobQueue, clock);
  const deliveries = new DeliveriesService(database.pool, notifications, jobQueue, clock, sends);
  const operatorDeliveries = new OperatorDeliveriesService(database.pool, redeliveries, clock);
  const { historyRetentionDays } = config;
  const held = { keys, authorizations, redeliveries };
  const operations = buildOperations({ pool: database.pool, clock, ...held, historyRetentionDays });
  return {
    accountRemoval,
    ...accounts,
    applications,
    authorizations,
    backtests,
    bearerTokens,
    blockedUsers,
    clientSecrets,
    clock,
    connectedSensors,
    dataExport,
    dataPoints,
    decisionLog,
    deliveries,
    devices,
    sensorRetention,
    environmentSensors,
    environments,
    eventNotifications,
    firings,
    groupMembers,
    groupSensors,
    groups,
    keys,
    mailedAcknowledgements,
    memberships,
    metatagSearch,
    metatags,
    mutes,
    notifications,
    ...oauth1,
    ...oauth2,
    operations,
    operatorDeliveries,
    redeliveries,
    sensorAccess,
    sensorServices,
    serviceConnections,
    sensorTriggers,
    sensorUsers,
    sensors,
    serviceMethods,
    streams,
    training,
    trainingJobs,
    triggerNotifications,
    triggers,
    unsubscribes,
  };
}
