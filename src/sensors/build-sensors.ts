import type { SensorAccess } from '../access/sensor-access';
import { SensorList } from '../access/sensor-list';
import type {
  DeliveredEnds,
  MutesService,
  SelectorsService,
  SensorTriggersService,
  TriggerNotificationsService,
  TriggersService,
} from '../alerts';
import { auditModels } from '../audit';
import type { EventLog } from '../events/event-log';
import type { FairShareScheduler } from '../fairness/fair-share-scheduler';
import type { Quota } from '../fairness/quota';
import type { WorkLimits } from '../fairness/work-account';
import type { NotificationsService } from '../notifications';
import type { GroupSensorsService } from '../people';
import type { Clock } from '../platform/clock';
import type { Config } from '../platform/config';
import type { Logger } from '../platform/logger';
import type { SecretBox } from '../platform/secret-box';
import type { PointReads } from '../points';
import type { Database } from '../storage';
import { auditedModels } from './audited-models';
import { BulkService } from './bulk/bulk.service';
import { buildDashboards } from './dashboards/build-dashboards';
import { DevicesService } from './devices/devices.service';
import { buildPlaces } from './environments/build-places';
import { FleetFollower } from './fleets/fleet-follower';
import { FleetSettingsService } from './fleets/fleet-settings';
import { MetatagSearch } from './metatags/metatag-search';
import { MetatagsService } from './metatags/metatags.service';
import { NotesService } from './notes/notes.service';
import { ReportsService } from './reports/reports.service';
import { NewSharesService } from './sensors/new-shares.service';
import { SensorRetentionService } from './sensors/sensor-retention.service';
import { SensorUsersService } from './sensors/sensor-users.service';
import { SensorsService } from './sensors/sensors.service';
import { ConnectedSensorsService } from './virtual-sensors/connected-sensors.service';
import { LearntModels } from './virtual-sensors/learnt-models';
import { SensorServicesService } from './virtual-sensors/sensor-services.service';
import { ServiceConnectionsService } from './virtual-sensors/service-connections.service';
import { ServiceMethodsService } from './virtual-sensors/service-methods.service';
import { TrainingService } from './virtual-sensors/training.service';
import { TrainingJobs, type TrainingQueue } from './virtual-sensors/training-jobs';

interface Parts extends WorkLimits {
  config: Config;
  clock: Clock;
  database: Database;
  jobQueue: TrainingQueue;
  logger: Logger;
  secretBox: SecretBox;
  shares: FairShareScheduler;
  sensorAccess: SensorAccess;
  eventLog: EventLog;
  requestQuota: Quota;
  ends: DeliveredEnds;
  pointReads: PointReads;
  services: {
    groupSensors: GroupSensorsService;
    selectors: SelectorsService;
    triggers: TriggersService;
    sensorTriggers: SensorTriggersService;
    triggerNotifications: TriggerNotificationsService;
    notifications: NotificationsService;
    mutes: MutesService;
  };
}

export function buildSensors(parts: Parts) {
  auditModels(auditedModels);
  const { config, clock, database, sensorAccess, eventLog, ends, pointReads } = parts;
  const days = config.dataRetentionDays || null;
  const sensorList = new SensorList(database.pool);
  const fleets = new FleetSettingsService(parts.services.selectors, parts.services.triggers);
  const serviceConnections = new ServiceConnectionsService(database, sensorAccess, eventLog, clock, days, fleets);
  const models = new LearntModels(database, parts.shares);
  const serviceMethods = new ServiceMethodsService(database, sensorAccess, days, models, fleets);
  const trainingJobs = new TrainingJobs(database, parts.jobQueue, clock, models);
  const metatagSearch = new MetatagSearch(database, clock);
  const services = {
    sensors: new SensorsService(database, sensorAccess, sensorList, { events: eventLog, ends }, clock, days),
    sensorUsers: new SensorUsersService(database, sensorAccess, eventLog, clock),
    newShares: new NewSharesService(database),
    sensorRetention: new SensorRetentionService(database, sensorAccess, days),
    metatags: new MetatagsService(database, sensorAccess, eventLog),
    metatagSearch,
    reports: new ReportsService({ from: pointReads, access: sensorAccess, search: metatagSearch, clock }),
    notes: new NotesService(database, sensorAccess),
    devices: new DevicesService(database, sensorAccess, eventLog, clock),
    ...buildPlaces(parts),
    ...buildDashboards(parts, pointReads),
    fleetFollower: new FleetFollower(database, clock, parts.logger),
    sensorServices: new SensorServicesService(sensorList, sensorAccess),
    serviceConnections,
    connectedSensors: new ConnectedSensorsService(database, sensorAccess, eventLog, clock, serviceConnections),
    serviceMethods,
    trainingJobs,
    training: new TrainingService(database, sensorAccess, serviceMethods, trainingJobs, models),
  };
  const bulk = new BulkService({ clock, database, sensorAccess, ...parts.services, ...services });
  return { services: { ...services, bulk } };
}
