import type { TimeRange } from '../../edge/time-range';
import { readFirstKeys, readRange, type SensorDataPoint } from '../../points';
import type { Reader } from '../../storage/read-pool';
import type { ValueRow } from './value-results';

export interface TimeSlice {
  points: readonly SensorDataPoint[];
  untilMs: number;
  /** For each point; without a row, each rule evaluates it. */
  results?: readonly (ValueRow | undefined)[] | undefined;
}

/** Slices are at most `maxLengthMs` long. */
export type SlicedRange = TimeRange & { maxLengthMs: number };

/** Slices are long where there is little data. */
export function readSlices(from: Reader, sensorIds: readonly number[], range: SlicedRange): AsyncGenerator<TimeSlice> {
  return inSlices(readRange(from, sensorIds, { ...range, descending: false }), range);
}

/** `parts` do not divide the points of a date. */
export async function* inSlices(
  parts: AsyncIterable<readonly SensorDataPoint[]>,
  { startMs, endMs, maxLengthMs }: SlicedRange,
): AsyncGenerator<TimeSlice> {
  let reachedMs = startMs - 1;
  for await (const part of parts) {
    const lastMs = part.at(-1)?.dateMs ?? reachedMs;
    for (let from = 0; reachedMs < lastMs; ) {
      const untilMs = Math.min(reachedMs + maxLengthMs, lastMs);
      const next = part.findIndex(({ dateMs }, at) => at >= from && dateMs > untilMs);
      const to = next < 0 ? part.length : next;
      yield { points: part.slice(from, to), untilMs };
      [from, reachedMs] = [to, untilMs];
    }
  }
  while (reachedMs < endMs) {
    reachedMs = Math.min(reachedMs + maxLengthMs, endMs);
    yield { points: [], untilMs: reachedMs };
  }
}

/** Null without points. */
export async function readFirstDate(
  from: Reader,
  sensorIds: readonly number[],
  range: TimeRange,
): Promise<number | null> {
  const first = await readFirstKeys(from, sensorIds, { ...range, isDescending: false });
  return first.length === 0 ? null : Math.min(...first.map(({ dateMs }) => dateMs));
}

/** Last dates before `beforeMs`, of sensors that have one. */
export async function readLastDates(
  from: Reader,
  sensorIds: readonly number[],
  beforeMs: number,
): Promise<Map<number, number>> {
  const last = await readFirstKeys(from, sensorIds, { startMs: 0, endMs: beforeMs - 1, isDescending: true });
  return new Map(last.map(({ sensorId, dateMs }) => [sensorId, dateMs]));
}
