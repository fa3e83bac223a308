import type { Extremes } from './aggregates';

export interface DataPoint {
  readonly value: string;
  readonly dateMs: number;
}

/** The server dates a value without a date when it stores it. */
export interface UploadedPoint {
  readonly value: string;
  readonly dateMs: number | undefined;
  /**
   * Nanoseconds from the date to the sender's exact time; negative if the point was dated later. If set, points of one
   * exact time are united; otherwise a point replaces another of its date.
   */
  readonly belowNs?: number;
}

const NS_PER_MS = 1_000_000;

export function laterBy<T extends UploadedPoint>(point: T, dateMs: number, ms: number): T {
  const { belowNs } = point;
  return { ...point, dateMs: dateMs + ms, ...(belowNs !== undefined && { belowNs: belowNs - ms * NS_PER_MS }) };
}

/** The sender's time, cut to the millisecond, and the nanoseconds from there. */
export function exactTimeOf(dateMs: number, belowNs: number): { cutMs: number; restNs: number } {
  const cutMs = dateMs + Math.floor(belowNs / NS_PER_MS);
  return { cutMs, restNs: belowNs - (cutMs - dateMs) * NS_PER_MS };
}

/** Sorts stably. Returns the same list if it is already sorted. */
export function inOrderOfDates<T extends { readonly dateMs: number }>(points: readonly T[]): readonly T[] {
  for (let at = 1; at < points.length; at += 1) {
    if ((points[at]?.dateMs ?? 0) < (points[at - 1]?.dateMs ?? 0))
      return [...points].sort((a, b) => a.dateMs - b.dateMs);
  }
  return points;
}

export interface SensorDataPoint extends DataPoint {
  readonly sensorId: number;
}

/** The id of an interval is that of its last point. */
export interface StoredDataPoint extends SensorDataPoint {
  readonly id: number;
  readonly extremes?: Extremes;
}

/** Unique among the points of a sensor. */
export function dataPointId(dateMs: number): number {
  return dateMs + 1; // ids begin at 1, and dates at 0
}

export function dateOfDataPoint(id: number): number {
  return id - 1;
}

/** A column of 32 bits holds no more. */
const MAX_DELAY_SECONDS = 2_147_483_647;

/** Seconds from date to arrival, rounded up; negative for a date in the future. */
export function delaySeconds(dateMs: number, receivedMs: number): number {
  const seconds = Math.ceil((receivedMs - dateMs) / 1000) + 0; // never minus zero
  return Math.max(-MAX_DELAY_SECONDS, Math.min(MAX_DELAY_SECONDS, seconds));
}

export interface ReceivedDataPoint extends DataPoint {
  readonly receivedMs: number;
  /** Only recorded. */
  readonly storedMs?: number;
  /** The server assigned the date: the point is newer than all that the server dated before, and arrives once. */
  readonly isDatedHere?: true;
}

/** Points for one sensor, and the place in the request that names the sensor. */
export interface SensorUpload {
  sensorId: number;
  path: string;
  points: UploadedPoint[];
}

/**
 * Other names of the date, in lower case, for points without `date`. Letter case does not matter, so `date` stands for
 * spellings such as `Date`.
 */
const DATE_NAMES: ReadonlySet<string> = new Set(
  'date datetime date_time timestamp time ts created_at createdat'.split(' '),
);
const LONGEST_NAME = Math.max(...[...DATE_NAMES].map(({ length }) => length));

export function isDateName(name: string): boolean {
  return name.length <= LONGEST_NAME && DATE_NAMES.has(name.toLowerCase());
}

export function instantsOf({ dateMs, receivedMs, storedMs }: ReceivedDataPoint): Omit<ReceivedDataPoint, 'value'> {
  return { dateMs, receivedMs, ...(storedMs === undefined ? {} : { storedMs }) };
}
