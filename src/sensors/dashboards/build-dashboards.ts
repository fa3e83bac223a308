import type { SensorAccess } from '../../access/sensor-access';
import type { Quota } from '../../fairness/quota';
import type { WorkLimits } from '../../fairness/work-account';
import type { Clock } from '../../platform/clock';
import type { SecretBox } from '../../platform/secret-box';
import type { PointReads } from '../../points';
import type { Database } from '../../storage';
import { DashboardsService } from './dashboards.service';
import { PublicDashboardsService } from './public-dashboards.service';

interface Parts extends WorkLimits {
  database: Database;
  clock: Clock;
  sensorAccess: SensorAccess;
  secretBox: SecretBox;
  requestQuota: Quota;
}

export function buildDashboards(parts: Parts, from: PointReads) {
  const { database, clock, sensorAccess, secretBox, requestQuota } = parts;
  return {
    dashboards: new DashboardsService(database, sensorAccess, from, secretBox, clock),
    publicDashboards: new PublicDashboardsService(database, from, secretBox, requestQuota, clock, parts),
  };
}
