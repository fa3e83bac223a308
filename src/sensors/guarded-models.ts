import type { GuardedModel } from '../access/rule-edit';
import { Environment } from '../storage/models/environment.model';
import { EnvironmentSensor } from '../storage/models/environment-sensor.model';
import { Sensor } from '../storage/models/sensor.model';
import { ServiceInputRow } from '../storage/models/service-input-row.model';

/** Passes and uploads cache these. */
export const guardedModels: readonly GuardedModel[] = [
  { model: ServiceInputRow, fields: 'all' },
  { model: Environment, fields: ['name', 'gpsOutline', 'parentId'] },
  { model: EnvironmentSensor, fields: 'all' },
  { model: Sensor, fields: ['name', 'dataType', 'useDataStorage', 'retentionDays'], isFreeToCreate: true },
];
