import type { DecisionLog, FleetFolder, LateReports, SelectorFollower, ShadowsService } from '../alerts';
import type { CarefulWork } from '../fairness/quarantine/careful-work';
import type { Deliveries, Probes } from '../notifications';
import type { Clock } from '../platform/clock';
import type { Config } from '../platform/config';
import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import { Heartbeat, type ServerTime } from '../points';
import type { JobQueue } from '../queue/job-queue';
import type { Database } from '../storage';
import { buildPurge } from './build-purge';
import { Packing } from './packing';
import type { PurgeTask } from './purge-task';
import { Reconciler } from './reconciler';
import type { ClosedAccounts } from './removers';
import { Schedule } from './schedule';

interface Parts extends Pick<Deliveries, 'delivery'> {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
  jobQueue: JobQueue;
  metrics: Metrics;
  serverTime: ServerTime;
  decisionLog: DecisionLog;
  careful?: CarefulWork | undefined;
  accountRemoval: ClosedAccounts;
  selectorFollower: SelectorFollower;
  fleetFollower: { run(): Promise<void> };
  fleetFolder: FleetFolder;
  lateReports: LateReports;
  shadows: ShadowsService;
  probes: Probes;
  weeklyReports: { run(): Promise<void> };
  purgeTasks: readonly PurgeTask[];
}

export function buildMaintenance({ config, clock, logger, database, serverTime, ...parts }: Parts) {
  const { pool } = database;
  const { dataRetentionDays, chunkAfterMs, historyRetentionDays, deliveryRetentionDays, sessionIdleDays } = config;
  const retention = {
    ...{ dataRetentionDays, chunkAfterMs, historyRetentionDays, deliveryRetentionDays, sessionIdleDays },
    ofWings: parts.purgeTasks,
  };
  const { decisionLog, careful, accountRemoval: accounts, selectorFollower: selectors, lateReports, metrics } = parts;
  const { shadows, weeklyReports, fleetFollower, fleetFolder } = parts;
  const reconciler = new Reconciler(pool, parts.jobQueue, parts.delivery, parts.probes, clock);
  const purge = buildPurge({ pool, clock, logger, accounts, decisionLog, ...(careful && { careful }), ...retention });
  return {
    heartbeat: new Heartbeat(database.heartbeats, clock, logger, (connection) => serverTime.synchronize(connection)),
    reconciler,
    purge,
    packing: new Packing(pool, clock, chunkAfterMs),
    schedule: new Schedule({
      ...{ reconciler, selectors, latePoints: lateReports, shadows, weeklyReports, purge, metrics },
      ...{ fleetFollower, fleetFolder },
    }),
  };
}
