import { type IntervalPiece, intervalAt } from '../../edge/intervals';
import type { Page } from '../../edge/paging';
import type { TimeRange } from '../../edge/time-range';
import type { SingleAggregate } from '../data-points/aggregates';
import type { Summary } from './chunk-rows';
import { deadlineOfPage, type PointReads, paced, readDatesOfEach } from './merged-points';
import type { IntervalQuery } from './point-statements';
import { readRuns } from './points-in-order';
import { ReadMemory } from './read-memory';
import type { Run } from './runs';

const INTERVAL_BYTES = 256;

export interface IntervalRow {
  sensorId: number;
  startMs: number;
  firstMs: number;
  lastMs: number;
  /** Values that may be JSON objects. */
  objects: number;
  hasTrue: boolean;
  hasFalse: boolean;
  /** For `first` and `last`, dates. */
  numbers?: Partial<Record<SingleAggregate, number>>;
}

/** Throws TakesTooLong after ten seconds. */
export async function readMergedIntervals(
  from: PointReads,
  sensorIds: readonly number[],
  query: IntervalQuery,
  { offset, limit }: Page,
): Promise<IntervalRow[]> {
  const sign = query.descending ? -1 : 1;
  const ranges = await rangesOf(from, sensorIds, query);
  // Intervals of one sensor come in order: earlier ones are only counted.
  const skipped = ranges.length === 1 ? offset : 0;
  const most = offset + limit - skipped;
  const memory = new ReadMemory();
  const deadline = deadlineOfPage();
  let found: IntervalRow[] = [];
  try {
    for (const { sensorId, range } of ranges) {
      const tally = new IntervalTally(sensorId, query.intervals.pieces, skipped);
      const runs = readRuns(from.reads, sensorId, { ...range, isDescending: query.descending });
      let held = 0;
      for await (const run of paced(from, runs, deadline)) {
        tally.add(run);
        memory.hold((tally.ended - held) * INTERVAL_BYTES);
        held = tally.ended;
        if (held > most) break;
      }
      const own = tally.end();
      memory.hold((own.length - held) * INTERVAL_BYTES);
      const all = found.length + own.length;
      found = [...found, ...own]
        .sort((a, b) => sign * (a.startMs - b.startMs) || a.sensorId - b.sensorId)
        .slice(0, most);
      memory.release((all - found.length) * INTERVAL_BYTES);
    }
  } finally {
    memory.end();
  }
  return found.slice(offset - skipped);
}

export async function countMergedIntervals(
  from: PointReads,
  sensorIds: readonly number[],
  query: IntervalQuery,
): Promise<number> {
  const deadline = deadlineOfPage();
  let count = 0;
  for (const { sensorId, range } of await rangesOf(from, sensorIds, query)) {
    let endMs = Number.NEGATIVE_INFINITY;
    const runs = readRuns(from.reads, sensorId, { ...range, isDescending: false });
    for await (const run of paced(from, runs, deadline)) {
      if (run.dateMs(run.length - 1) < endMs) continue;
      for (let at = 0; at < run.length; at += 1) {
        if (run.dateMs(at) < endMs) continue;
        endMs = intervalAt(query.intervals.pieces, run.dateMs(at)).endMs;
        count += 1;
      }
    }
  }
  return count;
}

async function rangesOf(from: PointReads, sensorIds: readonly number[], query: IntervalQuery) {
  const { startMs, endMs, one, intervals } = query;
  if (!one) return [...new Set(sensorIds)].map((sensorId) => ({ sensorId, range: { startMs, endMs } }));
  const points = await readDatesOfEach(from.reads, sensorIds, query);
  return points.map(({ sensorId, dateMs }): { sensorId: number; range: TimeRange } => {
    const interval = intervalAt(intervals.pieces, dateMs);
    const range = { startMs: Math.max(startMs, interval.startMs), endMs: Math.min(endMs, interval.endMs - 1) };
    return { sensorId, range };
  });
}

class Interval {
  firstMs = Number.POSITIVE_INFINITY;
  lastMs = Number.NEGATIVE_INFINITY;
  objects = 0;
  hasTrue = false;
  hasFalse = false;
  count = 0;
  private sum = 0;
  private min = Number.POSITIVE_INFINITY;
  private max = Number.NEGATIVE_INFINITY;
  private firstNumberMs = Number.POSITIVE_INFINITY;
  private lastNumberMs = Number.NEGATIVE_INFINITY;

  constructor(
    readonly startMs: number,
    readonly endMs: number,
  ) {}

  contains(dateMs: number): boolean {
    return dateMs >= this.startMs && dateMs < this.endMs;
  }

  /** The index behind its last point of the run, whose point at `from` is the first. */
  endIn(run: Run, from: number): number {
    let [low, high] = [from + 1, run.length];
    if (this.contains(run.dateMs(high - 1))) return high; // known without opening a chunk
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.contains(run.dateMs(middle))) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(run: Run, from: number, to: number): void {
    let [firstNumber, lastNumber]: (number | undefined)[] = [];
    for (let at = from; at < to; at += 1) {
      const number = run.number(at);
      if (number === undefined) {
        if (run.mayBeObject(at)) this.objects += 1;
        this.hasTrue ||= run.is(at, 'true');
        this.hasFalse ||= run.is(at, 'false');
        continue;
      }
      this.count += 1;
      this.sum += number;
      if (number < this.min) this.min = number;
      if (number > this.max) this.max = number;
      firstNumber ??= at;
      lastNumber = at;
    }
    this.reach(run.dateMs(from), run.dateMs(to - 1));
    if (firstNumber === undefined || lastNumber === undefined) return;
    this.reachNumbers(run.dateMs(firstNumber), run.dateMs(lastNumber));
  }

  addAll(run: Run, { low, high, total }: Summary): void {
    const ends = [run.dateMs(0), run.dateMs(run.length - 1)] as const;
    this.reach(...ends);
    this.reachNumbers(...ends);
    this.count += run.length;
    this.sum += total;
    this.min = Math.min(this.min, low);
    this.max = Math.max(this.max, high);
  }

  /** Dates of the first and the last point of a run, which may be in descending order. */
  private reach(...ends: [number, number]): void {
    this.firstMs = Math.min(this.firstMs, ...ends);
    this.lastMs = Math.max(this.lastMs, ...ends);
  }

  private reachNumbers(...ends: [number, number]): void {
    this.firstNumberMs = Math.min(this.firstNumberMs, ...ends);
    this.lastNumberMs = Math.max(this.lastNumberMs, ...ends);
  }

  end(sensorId: number): IntervalRow {
    const { startMs, firstMs, lastMs, objects, hasTrue, hasFalse, count, sum, min, max } = this;
    const dates = { first: this.firstNumberMs, last: this.lastNumberMs };
    const numbers = count === 0 ? undefined : { mean: sum / count, min, max, sum, count, ...dates };
    return { sensorId, startMs, firstMs, lastMs, objects, hasTrue, hasFalse, numbers };
  }
}

/** Takes points of a sensor in order of date, either way. */
class IntervalTally {
  private readonly intervals: IntervalRow[] = [];
  private current?: Interval;

  constructor(
    private readonly sensorId: number,
    private readonly pieces: readonly IntervalPiece[],
    private skipped: number,
  ) {}

  get ended(): number {
    return this.intervals.length;
  }

  add(run: Run): void {
    for (let from = 0; from < run.length; ) {
      const interval = this.enter(run.dateMs(from));
      const to = interval.endIn(run, from);
      if (run.summary && to - from === run.length) interval.addAll(run, run.summary);
      else interval.add(run, from, to);
      from = to;
    }
  }

  private enter(dateMs: number): Interval {
    if (this.current?.contains(dateMs)) return this.current;
    this.finish();
    const { startMs, endMs } = intervalAt(this.pieces, dateMs);
    this.current = new Interval(startMs, endMs);
    return this.current;
  }

  end(): readonly IntervalRow[] {
    this.finish();
    this.current = undefined;
    return this.intervals;
  }

  private finish(): void {
    if (!this.current) return;
    if (this.skipped > 0) this.skipped -= 1;
    else this.intervals.push(this.current.end(this.sensorId));
  }
}
