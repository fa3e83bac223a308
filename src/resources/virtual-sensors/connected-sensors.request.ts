/** Refers to the sensor to use. */
export interface UsedSensor {
  /**
   * The id of a sensor that you can see.
   * @maxLength 20
   * @example "41"
   */
  id: string;
}

/** Connects a sensor to a virtual sensor. */
export interface ConnectSensorRequest {
  sensor: UsedSensor;
}
