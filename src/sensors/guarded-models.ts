import type { GuardedModel } from '../access/rule-edit';
import { Sensor } from '../storage/models/sensor.model';
import { ServiceInputRow } from '../storage/models/service-input-row.model';

/** The models of sensors and inputs of services, of which passes and uploads cache rows. */
export const guardedModels: readonly GuardedModel[] = [
  { model: ServiceInputRow, fields: 'all' },
  { model: Sensor, fields: ['name', 'dataType', 'useDataStorage', 'retentionDays'], isFreeToCreate: true },
];
