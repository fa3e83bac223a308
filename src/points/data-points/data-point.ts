import type { Extremes } from './aggregates';

/** One stored value of a sensor with its date. */
export interface DataPoint {
  readonly value: string;
  readonly dateMs: number;
}

/** A value as uploaded. The server dates a value without a date when it stores it. */
export interface UploadedPoint {
  readonly value: string;
  readonly dateMs: number | undefined;
  /**
   * Nanoseconds from the date to the exact time that the sender gave; negative if the point was dated later. Set if
   * points of one exact time are one point with the fields of all. A point without it replaces another of its date.
   */
  readonly belowNs?: number;
}

const NS_PER_MS = 1_000_000;

/** The point dated this many milliseconds later. Its exact time stays. */
export function laterBy<T extends UploadedPoint>(point: T, dateMs: number, ms: number): T {
  const { belowNs } = point;
  return { ...point, dateMs: dateMs + ms, ...(belowNs !== undefined && { belowNs: belowNs - ms * NS_PER_MS }) };
}

/** The exact time of a point: the millisecond to which it is cut, and the nanoseconds from there. */
export function exactTimeOf(dateMs: number, belowNs: number): { cutMs: number; restNs: number } {
  const cutMs = dateMs + Math.floor(belowNs / NS_PER_MS);
  return { cutMs, restNs: belowNs - (cutMs - dateMs) * NS_PER_MS };
}

/** Sorts by date, oldest first. Points of one date keep their order. Returns the same list if it is already sorted. */
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

/** A stored data point; for an interval, its id is the id of the last point in it. */
export interface StoredDataPoint extends SensorDataPoint {
  readonly id: number;
  /** Only for an interval, and only on request. */
  readonly extremes?: Extremes;
}

/** The id of a data point, by its date; it belongs to no other point of the same sensor. */
export function dataPointId(dateMs: number): number {
  return dateMs + 1; // ids begin at 1, and dates at 0
}

/** Inverse of `dataPointId`. */
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
  /** Time of storage; recorded only. */
  readonly storedMs?: number;
  /**
   * Set if the server assigned the date. Such a point is newer than every point that the server dated before, and it
   * arrives once.
   */
  readonly isDatedHere?: true;
}

/** The points of a request for one sensor, and the place in the request that names the sensor. */
export interface SensorUpload {
  sensorId: number;
  path: string;
  points: UploadedPoint[];
}

/**
 * Other platforms' names of the date of a point, in lower case. They are matched without regard to case, and only where
 * a point has no `date`. `date` is included for its other spellings, such as `Date`.
 */
const DATE_NAMES: ReadonlySet<string> = new Set(
  'date datetime date_time timestamp time ts created_at createdat'.split(' '),
);
const LONGEST_NAME = Math.max(...[...DATE_NAMES].map(({ length }) => length));

/** Whether a point may have its date under this name. */
export function isDateName(name: string): boolean {
  return name.length <= LONGEST_NAME && DATE_NAMES.has(name.toLowerCase());
}

/** A point without its value. */
export function instantsOf({ dateMs, receivedMs, storedMs }: ReceivedDataPoint): Omit<ReceivedDataPoint, 'value'> {
  return { dateMs, receivedMs, ...(storedMs === undefined ? {} : { storedMs }) };
}
