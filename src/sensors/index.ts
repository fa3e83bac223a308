export { buildSensors } from './build-sensors';
export { deleteDashboards } from './dashboards/dashboards.service';
export { SensorsOfClosedAccounts } from './sensors/sensors-of-closed-accounts';
export { sensorServiceNames } from './virtual-sensors/sensor-service-names';
