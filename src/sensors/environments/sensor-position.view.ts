import type { EnvironmentSensor } from '../../storage/models/environment-sensor.model';

/** Where a sensor is. */
export interface SensorPositionView {
  /** @example "42" */
  sensor_id: string;
  /**
   * `<latitude> <longitude> [<altitude>]`.
   * @example "51.9037 4.4604"
   */
  position: string;
}

/** The response with the positions of the sensors in an environment. */
export interface SensorPositionsResponse {
  positions: SensorPositionView[];
}

export function toPositionsResponse(places: readonly EnvironmentSensor[]): SensorPositionsResponse {
  return { positions: places.map(({ sensorId, position }) => ({ sensor_id: String(sensorId), position })) };
}
