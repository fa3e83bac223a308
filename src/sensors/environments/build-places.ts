import type { SensorAccess } from '../../access/sensor-access';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import type { Database } from '../../storage';
import { EnvironmentSensorsService } from './environment-sensors.service';
import { EnvironmentsService } from './environments.service';
import { FloorPlansService } from './floor-plans.service';

interface Parts {
  database: Database;
  clock: Clock;
  sensorAccess: SensorAccess;
  eventLog: EventLog;
}

export function buildPlaces({ database, clock, sensorAccess, eventLog }: Parts) {
  return {
    environments: new EnvironmentsService(database, eventLog, clock),
    environmentSensors: new EnvironmentSensorsService(database, sensorAccess, eventLog, clock),
    floorPlans: new FloorPlansService(database, clock),
  };
}
