/** Names a sensor that is to be used. */
export interface UsedSensor {
  /**
   * A sensor that you may see.
   * @maxLength 20
   * @example "41"
   */
  id: string;
}

/** Lets a sensor use another one. */
export interface ConnectSensorRequest {
  sensor: UsedSensor;
}
