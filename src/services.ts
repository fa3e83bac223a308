import { SensorAccess } from './access/sensor-access';
import { SensorList } from './access/sensor-list';
import type { Delivery } from './delivery/build-delivery';
import type { OpenChannels } from './delivery/channels';
import type { Mailer } from './delivery/channels/mailer';
import type { MailAllowances } from './delivery/mail/mail-allowances';
import type { DecisionLog } from './evaluation/decision-log';
import { EventLog } from './events/event-log';
import { FairSemaphore } from './fairness/fair-semaphore';
import type { Quota } from './fairness/quota';
import type { RefusedLogins } from './fairness/refused-logins';
import type { DataPointWriter } from './intake/data-point-writer';
import { ApplicationsService } from './oauth/applications.service';
import { removeApplications } from './oauth/applications-of-closed-accounts';
import { AuthorizationsService } from './oauth/authorizations.service';
import { buildOAuth1 } from './oauth/build-oauth1';
import { buildOAuth2 } from './oauth/build-oauth2';
import { ClientSecrets } from './oauth/client-secrets';
import { buildOperations } from './operations';
import type { Clock } from './platform/clock';
import type { Config } from './platform/config';
import type { Logger } from './platform/logger';
import type { JobQueue } from './queue/job-queue';
import { AccountRemoval } from './resources/accounts/account-removal';
import { BearerTokens } from './resources/accounts/bearer-tokens';
import { BlockedUsersService } from './resources/accounts/blocked-users.service';
import { buildAccounts } from './resources/accounts/build-accounts';
import { KeysService } from './resources/accounts/keys.service';
import { BacktestsService } from './resources/backtests/backtests.service';
import { BulkService } from './resources/bulk/bulk.service';
import { DataExport } from './resources/data-points/data-export';
import { DataPointsService } from './resources/data-points/data-points.service';
import { DeliveriesService } from './resources/deliveries/deliveries.service';
import { OperatorDeliveriesService } from './resources/deliveries/operator-deliveries.service';
import { RedeliveriesService } from './resources/deliveries/redeliveries.service';
import { RequestedSends } from './resources/deliveries/requested-sends';
import { DevicesService } from './resources/devices/devices.service';
import { EnvironmentSensorsService } from './resources/environments/environment-sensors.service';
import { EnvironmentsService } from './resources/environments/environments.service';
import { EventNotificationsService } from './resources/events/event-notifications.service';
import { FiringsService } from './resources/firings/firings.service';
import { MailedAcknowledgements } from './resources/firings/mailed-acknowledgements';
import { forgetFormerMemberships } from './resources/groups/former-members';
import { leaveGroups } from './resources/groups/group-departure';
import { GroupMembersService } from './resources/groups/group-members.service';
import { GroupSensorsService } from './resources/groups/group-sensors.service';
import { GroupsService } from './resources/groups/groups.service';
import { MembershipsService } from './resources/groups/memberships.service';
import { NewMembers } from './resources/groups/new-members';
import { MetatagSearch } from './resources/metatags/metatag-search';
import { MetatagsService } from './resources/metatags/metatags.service';
import { MutesService } from './resources/mutes/mutes.service';
import { deleteNotifications } from './resources/notifications/notification-removal';
import { NotificationsService } from './resources/notifications/notifications.service';
import { UnsubscribesService } from './resources/notifications/unsubscribes.service';
import { SensorRetentionService } from './resources/sensors/sensor-retention.service';
import { SensorUsersService } from './resources/sensors/sensor-users.service';
import { SensorsService } from './resources/sensors/sensors.service';
import { SensorsOfClosedAccounts } from './resources/sensors/sensors-of-closed-accounts';
import { StreamsService } from './resources/streams/streams.service';
import { SensorTriggersService } from './resources/triggers/sensor-triggers.service';
import { TriggerNotificationsService } from './resources/triggers/trigger-notifications.service';
import { deleteTriggers } from './resources/triggers/trigger-removal';
import { TriggersService } from './resources/triggers/triggers.service';
import { ConnectedSensorsService } from './resources/virtual-sensors/connected-sensors.service';
import { SensorServicesService } from './resources/virtual-sensors/sensor-services.service';
import { ServiceConnectionsService } from './resources/virtual-sensors/service-connections.service';
import { ServiceMethodsService } from './resources/virtual-sensors/service-methods.service';
import { TrainingService } from './resources/virtual-sensors/training.service';
import { TrainingJobs } from './resources/virtual-sensors/training-jobs';
import type { SecretBox } from './rules/secret-box';
import type { Database } from './storage';
import type { StreamFeed } from './streams/stream-feed';
import { StreamTopics } from './streams/topics';

/** Permits to compute on stored data for some milliseconds: one in a process, so that other requests come in between. */
const COMPUTING = { atOnce: 1, waitingPerTenant: 100 };

/** What the use cases stand on. */
interface Foundation {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
  jobQueue: JobQueue;
  delivery: Delivery;
  refusedLogins: RefusedLogins;
  registrationQuota: Quota;
  pointQuota: Quota;
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
    delivery,
    refusedLogins,
    decisionLog,
    dataPointWriter,
    pointQuota,
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
  const computing = new FairSemaphore<number>(COMPUTING);
  const pointReads = { reads: database.reads, computing };
  const dataPoints = new DataPointsService(database, sensorAccess, dataPointWriter, pointQuota, pointReads);
  const dataExport = new DataExport(pointReads, sensorAccess);
  const streams = new StreamsService(database, sensorAccess, new StreamTopics(database.pool, clock), streamFeed);
  const sensorServices = new SensorServicesService(sensorList, sensorAccess);
  const serviceConnections = new ServiceConnectionsService(database, sensorAccess, eventLog, clock);
  const connectedSensors = new ConnectedSensorsService(database, sensorAccess, eventLog, clock, serviceConnections);
  const serviceMethods = new ServiceMethodsService(database, sensorAccess);
  const trainingJobs = new TrainingJobs(database, jobQueue, clock);
  const training = new TrainingService(database, sensorAccess, serviceMethods, trainingJobs);
  const triggers = new TriggersService(database, eventLog, clock);
  const backtests = new BacktestsService(database, sensorAccess, clock, computing);
  const sensorTriggers = new SensorTriggersService(database, sensorAccess, eventLog, clock);
  const firings = new FiringsService(database, jobQueue, delivery.runner, clock);
  const mailedAcknowledgements = new MailedAcknowledgements(database.pool, firings);
  const mutes = new MutesService(database, sensorAccess, clock);
  const notifications = new NotificationsService(database, eventLog, clock, consents, channels);
  const triggerNotifications = new TriggerNotificationsService(database, sensorTriggers, notifications);
  const bulk = new BulkService(database, triggers, notifications, sensorTriggers, triggerNotifications);
  const eventNotifications = new EventNotificationsService(database, clock);
  const sends = new RequestedSends(database.pool, mailAllowances, consents, config.testLimit, clock);
  const redeliveries = new RedeliveriesService(database, notifications, delivery.runner, clock, sends);
  const unsubscribes = new UnsubscribesService(database.pool, jobQueue, clock);
  const deliveries = new DeliveriesService(database.pool, notifications, delivery.runner, clock, sends);
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
    bulk,
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
