export { buildSensors } from './build-sensors';
export { deleteDashboards } from './dashboards/dashboards.service';
export { guardedModels } from './guarded-models';
export { invariants } from './invariants';
export { SensorsOfClosedAccounts } from './sensors/sensors-of-closed-accounts';
export { sensorServiceNames } from './virtual-sensors/sensor-service-names';
export { workOwners } from './work-owners';
