import type { Sensor } from '../../storage/models/sensor.model';
import { type ListedSensorView, type SensorIdView, toSensorView } from './sensor.view';

/** The response with sensors of a group. */
export interface GroupSensorsResponse {
  sensors: (ListedSensorView | SensorIdView)[];
  /**
   * The number of sensors on all pages; only with `total=1`.
   * @isLong
   * @example 1
   */
  total?: number;
}

/** The response with the user's own sensors that were shared into a group. */
export function toAddedSensorsResponse(sensors: readonly Sensor[]): GroupSensorsResponse {
  return { sensors: sensors.map(toSensorView) };
}
