import type { GuardedModel } from '../access/rule-edit';
import { Sensor } from '../storage/models/sensor.model';
import { ServiceInputRow } from '../storage/models/service-input-row.model';

/** Passes and uploads cache these. */
export const guardedModels: readonly GuardedModel[] = [
  { model: ServiceInputRow, fields: 'all' },
  { model: Sensor, fields: ['name', 'dataType', 'useDataStorage', 'retentionDays'], isFreeToCreate: true },
];
