import { requireRight } from '../access/group-access';
import { guardRules } from '../access/rule-edit';
import {
  guardedModels as alertModels,
  buildAlerts,
  buildEpisodes,
  hasWindows,
  ownerWatches,
  RecordedHolders,
  StreamedFirings,
  toFiringView,
} from '../alerts';
import { buildArchives } from '../archives';
import { AuditLog, oldAuditTasks } from '../audit';
import { buildGateways } from '../gateways';
import { buildMaintenance } from '../maintenance/build-maintenance';
import { buildDeliveries, buildNotifications } from '../notifications';
import { buildOperations } from '../operators';
import { buildPeople } from '../people';
import { type Clock, ServerClock } from '../platform/clock';
import type { Config } from '../platform/config';
import type { Logger } from '../platform/logger';
import { releaseVersion } from '../platform/version';
import { buildPoints, type DataPointWriter } from '../points';
import { addProcessGauges } from '../queue/process-gauges';
import { buildSensors, guardedModels as sensorModels } from '../sensors';
import { openDatabase } from '../storage';
import { buildRemoval } from './closed-accounts';
import { buildGround, type Ground } from './ground';
import { lifecycle } from './lifecycle';

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
    ...{ weeklyMails: alerts.services.weeklyMails, watches: ownerWatches },
  });
  const lower = { ...points.services, ...notifications.services, ...alerts.services, ...people.services };
  const sensors = buildSensors({ ...base, ...episodes, services: lower });
  const gateways = buildGateways(base);
  const auditLog = new AuditLog(database, (userId, groupId) => requireRight(userId, groupId, 'editGroup'));
  const used = { ...lower, ...sensors.services, ...gateways.services, auditLog };
  const archives = buildArchives({ ...base, services: used });
  const services = { ...used, ...archives.services };
  const oldAudit = oldAuditTasks(database.pool, clock, config.auditRetentionDays);
  const operations = buildOperations({ ...services, ...base });
  measureProcess(ground, points.dataPointWriter);
  return {
    ...base,
    evaluationConsumer: alerts.evaluationConsumer,
    eventDispatcher: notifications.eventDispatcher,
    mqttSources: gateways.mqttSources,
    archiveJobs: archives.archiveJobs,
    ...buildMaintenance({ ...base, ...services, purgeTasks: [archives.purgeTask, ...oldAudit] }),
    services: { ...services, clock, decisionLog: ground.decisionLog, sensorAccess: ground.sensorAccess, operations },
    ...lifecycle(base, points.services.streams),
  };
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
