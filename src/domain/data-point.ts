/** One value of a sensor, as it is stored, with its date. */
export interface DataPoint {
  readonly value: string;
  readonly dateMs: number;
}

/** A data point of one of several sensors. */
export interface SensorDataPoint extends DataPoint {
  readonly sensorId: number;
}

/** A stored data point; for an interval its id is that of the last point in it. */
export interface StoredDataPoint extends SensorDataPoint {
  readonly id: number;
}

/** A data point on its way from the inbox to its sensor's actor. */
export interface ReceivedDataPoint extends DataPoint {
  /** When the platform accepted it. */
  readonly receivedMs: number;
  /** When it was stored; only recorded. */
  readonly storedMs?: number;
}

/** The data points that a request has for one sensor, and where the request names the sensor. */
export interface SensorUpload {
  sensorId: number;
  path: string;
  points: DataPoint[];
}
