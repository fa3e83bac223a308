import type { Extremes } from './aggregates';

/** One value of a sensor, as it is stored, with its date. */
export interface DataPoint {
  readonly value: string;
  readonly dateMs: number;
}

/** A value as it is uploaded: without a date it is dated by the server when it is stored. */
export interface UploadedPoint {
  readonly value: string;
  readonly dateMs: number | undefined;
}

/** The oldest first; the same list where they are in this order already. Points of one date keep their order. */
export function inOrderOfDates<T extends { readonly dateMs: number }>(points: readonly T[]): readonly T[] {
  for (let at = 1; at < points.length; at += 1) {
    if ((points[at]?.dateMs ?? 0) < (points[at - 1]?.dateMs ?? 0))
      return [...points].sort((a, b) => a.dateMs - b.dateMs);
  }
  return points;
}

/** A data point of one of several sensors. */
export interface SensorDataPoint extends DataPoint {
  readonly sensorId: number;
}

/** A stored data point; for an interval its id is that of the last point in it. */
export interface StoredDataPoint extends SensorDataPoint {
  readonly id: number;
  /** Of an interval, where they are wanted. */
  readonly extremes?: Extremes;
}

/** The id of a data point, by its date; it belongs to no other point of the same sensor. */
export function dataPointId(dateMs: number): number {
  return dateMs + 1; // ids begin at 1, and dates at 0
}

/** The date of the data point that has this id within its sensor. */
export function dateOfDataPoint(id: number): number {
  return id - 1;
}

/** Delays are stored as far as a column of 32 bits can hold them. */
const MAX_DELAY_SECONDS = 2_147_483_647;

/** How long after its date a point arrived, in whole seconds, rounded up; negative for a date in the future. */
export function delaySeconds(dateMs: number, receivedMs: number): number {
  const seconds = Math.ceil((receivedMs - dateMs) / 1000) + 0; // never minus zero
  return Math.max(-MAX_DELAY_SECONDS, Math.min(MAX_DELAY_SECONDS, seconds));
}

/** A data point on its way from the inbox to its sensor's actor. */
export interface ReceivedDataPoint extends DataPoint {
  /** When the platform accepted it. */
  readonly receivedMs: number;
  /** When it was stored; only recorded. */
  readonly storedMs?: number;
  /** Set where the server assigned its date: so it is newer than every point that the server dated before, and comes once. */
  readonly isDatedHere?: true;
}

/** The points that a request has for one sensor, and where the request names the sensor. */
export interface SensorUpload {
  sensorId: number;
  path: string;
  points: UploadedPoint[];
}
