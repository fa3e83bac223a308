import type { PageTotal } from '../../edge/paging';
import type { Sensor } from '../../storage/models/sensor.model';
import { type ListedSensorView, type SensorIdView, toSensorView } from './sensor.view';

/** The response with sensors of a group. */
export interface GroupSensorsResponse extends PageTotal {
  sensors: (ListedSensorView | SensorIdView)[];
}

/** The response with the user's own sensors that were shared into a group. */
export function toAddedSensorsResponse(sensors: readonly Sensor[]): GroupSensorsResponse {
  return { sensors: sensors.map(toSensorView) };
}
