export { buildSensors } from './build-sensors';
export { deleteDashboards } from './dashboards/dashboards.service';
export { guardedModels } from './guarded-models';
export { invariants } from './invariants';
export type { ReportedPeriodView, SensorReportView } from './reports/report.view';
export type { ListedSensorView } from './sensors/sensor.view';
export { SensorsOfClosedAccounts } from './sensors/sensors-of-closed-accounts';
export { sensorServiceNames } from './virtual-sensors/sensor-service-names';
export { workOwners } from './work-owners';
