import { SensorAccess } from './access/sensor-access';
import { SensorList } from './access/sensor-list';
import type { Delivery } from './delivery/build-delivery';
import type { OpenChannels } from './delivery/channels';
import type { Mailer } from './delivery/channels/mailer';
import type { DeliveryComputing } from './delivery/delivery-computing';
import type { MailAllowances } from './delivery/mail/mail-allowances';
import { PacedTexts } from './delivery/paced-texts';
import type { VapidKeys } from './delivery/vapid-keys';
import { EventLog } from './events/event-log';
import { FairSemaphore } from './fairness/fair-semaphore';
import type { Foundation } from './foundation';
import type { DataPointWriter } from './intake/data-point-writer';
import { ApplicationsService } from './oauth/applications.service';
import { removeApplications } from './oauth/applications-of-closed-accounts';
import { AuthorizationsService } from './oauth/authorizations.service';
import { buildOAuth1, buildOAuth2 } from './oauth/build-oauth';
import { ClientSecrets } from './oauth/client-secrets';
import { buildOperations } from './operations';
import type { CarefulWork } from './quarantine/careful-work';
import { AccountRemoval } from './resources/accounts/account-removal';
import { BearerTokens } from './resources/accounts/bearer-tokens';
import { BlockedUsersService } from './resources/accounts/blocked-users.service';
import { buildAccounts } from './resources/accounts/build-accounts';
import { KeysService } from './resources/accounts/keys.service';
import { BacktestsService } from './resources/backtests/backtests.service';
import { BulkService } from './resources/bulk/bulk.service';
import { buildDashboards, deleteDashboards } from './resources/dashboards/build-dashboards';
import { DataExport } from './resources/data-points/data-export';
import { DataPointsService } from './resources/data-points/data-points.service';
import { AwaitedTests } from './resources/deliveries/awaited-tests';
import { DeliveriesService } from './resources/deliveries/deliveries.service';
import { OperatorDeliveriesService } from './resources/deliveries/operator-deliveries.service';
import { Probes } from './resources/deliveries/probes';
import { RedeliveriesService } from './resources/deliveries/redeliveries.service';
import { RequestedSends } from './resources/deliveries/requested-sends';
import { DevicesService } from './resources/devices/devices.service';
import { buildPlaces } from './resources/environments/build-places';
import { EventNotificationsService } from './resources/events/event-notifications.service';
import { BulkFiringsService } from './resources/firings/bulk-firings.service';
import { DeliveredEnds } from './resources/firings/delivered-ends';
import { FiringsService } from './resources/firings/firings.service';
import { LinkAcknowledgements } from './resources/firings/link-acknowledgements';
import { buildGroups } from './resources/groups/build-groups';
import { forgetFormerMemberships } from './resources/groups/former-members';
import { leaveGroups } from './resources/groups/group-departure';
import { MetatagSearch } from './resources/metatags/metatag-search';
import { MetatagsService } from './resources/metatags/metatags.service';
import { deleteMqttSources } from './resources/mqtt-sources/mqtt-sources.service';
import { MutesService } from './resources/mutes/mutes.service';
import { NotesService } from './resources/notes/notes.service';
import { deleteNotifications } from './resources/notifications/notification-removal';
import { NotificationsService } from './resources/notifications/notifications.service';
import { NotificationPreviews } from './resources/notifications/previews.service';
import { UnsubscribesService } from './resources/notifications/unsubscribes.service';
import { buildSeries } from './resources/protocols/build-series';
import { SensorRetentionService } from './resources/sensors/sensor-retention.service';
import { SensorUsersService } from './resources/sensors/sensor-users.service';
import { SensorsService } from './resources/sensors/sensors.service';
import { SensorsOfClosedAccounts } from './resources/sensors/sensors-of-closed-accounts';
import { StreamsService } from './resources/streams/streams.service';
import { LateReports } from './resources/triggers/late-reports';
import { SelectorFollower } from './resources/triggers/selector-follower';
import { SelectorsService } from './resources/triggers/selectors.service';
import { SensorTriggersService } from './resources/triggers/sensor-triggers.service';
import { TriggerNotificationsService } from './resources/triggers/trigger-notifications.service';
import { deleteTriggers } from './resources/triggers/trigger-removal';
import { TriggersService } from './resources/triggers/triggers.service';
import { WholeTriggerNotificationsService } from './resources/triggers/whole-trigger-notifications.service';
import { ConnectedSensorsService } from './resources/virtual-sensors/connected-sensors.service';
import { LearntModels } from './resources/virtual-sensors/learnt-models';
import { SensorServicesService } from './resources/virtual-sensors/sensor-services.service';
import { ServiceConnectionsService } from './resources/virtual-sensors/service-connections.service';
import { ServiceMethodsService } from './resources/virtual-sensors/service-methods.service';
import { TrainingService } from './resources/virtual-sensors/training.service';
import { TrainingJobs } from './resources/virtual-sensors/training-jobs';
import type { StreamFeed } from './streams/stream-feed';
import { StreamTopics } from './streams/topics';

/** Permits to compute on stored data for some milliseconds: one in a process, so that other requests come in between. */
const COMPUTING = { atOnce: 1, waitingPerTenant: 100 };

/** The parts that the use cases need. */
interface Parts extends Foundation {
  delivery: Delivery;
  dataPointWriter: DataPointWriter;
  streamFeed: StreamFeed;
  mailer: Mailer;
  channels: OpenChannels;
  mailAllowances: MailAllowances;
  vapidKeys: VapidKeys;
  careful?: CarefulWork | undefined;
  deliveryComputing: DeliveryComputing;
}

export type Services = ReturnType<typeof buildServices>;

/** Builds the use cases, in the order in which they need each other. */
export function buildServices(parts: Parts) {
  const { config, clock, database, decisionLog } = parts;
  const eventLog = new EventLog(database, parts.jobQueue, clock);
  const sensorAccess = new SensorAccess(database);
  const newTexts = () => new PacedTexts(parts.shares);
  const ends = new DeliveredEnds(parts.delivery.runner, parts.jobQueue, clock, newTexts);
  const base = { ...parts, eventLog, sensorAccess, effects: { events: eventLog, ends }, newTexts };
  const { passwords, guardedPasswords, consents, ...accounts } = buildAccess(base);
  const sensors = buildSensors(base);
  const rules = buildRules({ ...base, computing: sensors.computing, consents });
  const groups = buildGroups({ ...base, passwords, guardedPasswords });
  const { historyRetentionDays } = config;
  const operations = buildOperations({ ...accounts, ...rules, database, clock, historyRetentionDays });
  return {
    clock,
    decisionLog,
    sensorAccess,
    ...accounts,
    ...groups,
    ...sensors,
    ...rules,
    bulk: new BulkService({ clock, database, sensorAccess, ...groups, ...sensors, ...rules }),
    bulkFirings: new BulkFiringsService(rules.firings, rules.sensorTriggers),
    operations,
  };
}

/** The parts that all groups of use cases share. */
interface Base extends Parts {
  eventLog: EventLog;
  sensorAccess: SensorAccess;
  /** What a change of rules causes in addition to itself. */
  effects: { events: EventLog; ends: DeliveredEnds };
  newTexts: () => PacedTexts;
}

/** Accounts, their credentials and their removal. */
function buildAccess(base: Base) {
  const { database, clock, logger, eventLog, sensorAccess, secretBox, refusedLogins } = base;
  const closed = new SensorsOfClosedAccounts(database, base.effects, clock);
  // What others can see goes first: nothing is delivered from the first step on.
  const accountRemoval = new AccountRemoval(database, clock, logger, [
    deleteDashboards,
    deleteMqttSources,
    deleteNotifications,
    closed.seenByOthers,
    closed.shares,
    leaveGroups(eventLog),
    forgetFormerMemberships,
    closed.all,
    deleteTriggers,
    removeApplications,
    closed.places,
  ]);
  const keys = new KeysService(database, sensorAccess, eventLog, clock);
  const applications = new ApplicationsService(database, secretBox, clock);
  const authorizations = new AuthorizationsService(database, eventLog, clock);
  const clientSecrets = new ClientSecrets(secretBox, refusedLogins);
  const oauth2 = buildOAuth2({ database, clientSecrets, authorizations, eventLog, clock });
  return {
    accountRemoval,
    applications,
    authorizations,
    blockedUsers: new BlockedUsersService(database, eventLog, clock),
    clientSecrets,
    keys,
    ...buildAccounts({ ...base, accountRemoval, keys, authorizations, applications }),
    ...buildOAuth1({ database, clientSecrets, secretBox, authorizations, clock }),
    ...oauth2,
    bearerTokens: new BearerTokens([keys, oauth2.oauth2Access]),
  };
}

/** Sensors with their data, places and services. */
function buildSensors(base: Base) {
  const { config, database, clock, eventLog, sensorAccess, dataPointWriter, pointQuota, streamFeed } = base;
  const days = config.dataRetentionDays || null;
  const sensorList = new SensorList(database.pool);
  const computing = new FairSemaphore<number>(COMPUTING);
  const pointReads = { reads: database.reads, computing };
  const serviceConnections = new ServiceConnectionsService(database, sensorAccess, eventLog, clock, days);
  const models = new LearntModels(database, base.shares);
  const serviceMethods = new ServiceMethodsService(database, sensorAccess, days, models);
  const trainingJobs = new TrainingJobs(database, base.jobQueue, clock, models);
  return {
    computing,
    sensors: new SensorsService(database, sensorAccess, sensorList, base.effects, clock, days),
    sensorUsers: new SensorUsersService(database, sensorAccess, eventLog, clock),
    sensorRetention: new SensorRetentionService(database, sensorAccess, days),
    metatags: new MetatagsService(database, sensorAccess, eventLog),
    metatagSearch: new MetatagSearch(database, clock),
    notes: new NotesService(database, sensorAccess),
    devices: new DevicesService(database, sensorAccess, eventLog, clock),
    ...buildPlaces(base),
    dataPoints: new DataPointsService(database, sensorAccess, dataPointWriter, pointQuota, pointReads),
    dataExport: new DataExport(pointReads, sensorAccess),
    ...buildSeries(base),
    ...buildDashboards(base, pointReads),
    streams: new StreamsService(database, sensorAccess, new StreamTopics(database.pool, clock), streamFeed),
    sensorServices: new SensorServicesService(sensorList, sensorAccess),
    serviceConnections,
    connectedSensors: new ConnectedSensorsService(database, sensorAccess, eventLog, clock, serviceConnections),
    serviceMethods,
    trainingJobs,
    training: new TrainingService(database, sensorAccess, serviceMethods, trainingJobs, models),
  };
}

interface RulesBase extends Base {
  computing: FairSemaphore<number>;
  consents: ReturnType<typeof buildAccess>['consents'];
}

/** Triggers, notifications and their deliveries. */
function buildRules(base: RulesBase) {
  const { config, database, clock, eventLog, sensorAccess, jobQueue, consents } = base;
  const { runner } = base.delivery;
  const { ends } = base.effects;
  const retentionDays = config.dataRetentionDays || null;
  const triggers = new TriggersService(database, eventLog, ends, clock, new SelectorsService(database), retentionDays);
  const sensorTriggers = new SensorTriggersService(database, sensorAccess, eventLog, ends, clock, retentionDays);
  const firings = new FiringsService(database, jobQueue, ends, clock);
  const sending = { consents, channels: base.channels, secretBox: base.secretBox, vapidKeys: base.vapidKeys };
  const notifications = new NotificationsService(database, base.effects, clock, sending);
  const triggerNotifications = new TriggerNotificationsService(database, sensorTriggers, notifications, ends);
  const sends = new RequestedSends(database.pool, base.mailAllowances, consents, config.testLimit, clock);
  const awaited = new AwaitedTests(database.pool);
  const redeliveries = new RedeliveriesService(database, notifications, runner, clock, sends);
  const { computing, workBudget } = base;
  const backtests = new BacktestsService(database, sensorAccess, clock, computing, workBudget, retentionDays);
  return {
    triggers,
    selectorFollower: new SelectorFollower(database, { ...base.effects, careful: base.careful }, clock, base.logger),
    sensorTriggers,
    backtests,
    lateReports: new LateReports(database, backtests, { runner, newTexts: base.newTexts }, clock, base.logger),
    firings,
    linkAcknowledgements: new LinkAcknowledgements(database.pool, firings, base.secretBox),
    mutes: new MutesService(database, sensorAccess, clock),
    notifications,
    notificationPreviews: new NotificationPreviews({ ...base, pool: database.pool, notifications, firings, sends }),
    triggerNotifications,
    wholeTriggerNotifications: new WholeTriggerNotificationsService(database, notifications, ends),
    eventNotifications: new EventNotificationsService(database, clock),
    redeliveries,
    unsubscribes: new UnsubscribesService(database.pool, jobQueue, clock),
    deliveries: new DeliveriesService(database.pool, notifications, runner, clock, sends, awaited),
    probes: new Probes(database.pool, clock, base.logger),
    operatorDeliveries: new OperatorDeliveriesService(database.pool, redeliveries, clock),
  };
}
