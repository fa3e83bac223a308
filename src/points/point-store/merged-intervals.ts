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

  add(dateMs: number, run: Run, at: number): void {
    if (dateMs < this.firstMs) this.firstMs = dateMs;
    if (dateMs > this.lastMs) this.lastMs = dateMs;
    const number = run.number(at);
    if (number === undefined) {
      if (run.mayBeObject(at)) this.objects += 1;
      return;
    }
    this.count += 1;
    this.sum += number;
    if (number < this.min) this.min = number;
    if (number > this.max) this.max = number;
    if (dateMs < this.firstNumberMs) this.firstNumberMs = dateMs;
    if (dateMs > this.lastNumberMs) this.lastNumberMs = dateMs;
  }

  addAll(run: Run, { low, high, total }: Summary): void {
    const ends = [run.dateMs(0), run.dateMs(run.length - 1)];
    const [first, last] = [Math.min(...ends), Math.max(...ends)];
    this.firstMs = Math.min(this.firstMs, first);
    this.lastMs = Math.max(this.lastMs, last);
    this.firstNumberMs = Math.min(this.firstNumberMs, first);
    this.lastNumberMs = Math.max(this.lastNumberMs, last);
    this.count += run.length;
    this.sum += total;
    this.min = Math.min(this.min, low);
    this.max = Math.max(this.max, high);
  }

  end(sensorId: number): IntervalRow {
    const { startMs, firstMs, lastMs, objects, count, sum, min, max } = this;
    const dates = { first: this.firstNumberMs, last: this.lastNumberMs };
    const numbers = count === 0 ? undefined : { mean: sum / count, min, max, sum, count, ...dates };
    return { sensorId, startMs, firstMs, lastMs, objects, numbers };
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
    const [first, last] = [run.dateMs(0), run.dateMs(run.length - 1)];
    const { startMs, endMs } = intervalAt(this.pieces, first);
    if (run.summary && last >= startMs && last < endMs) {
      this.enter(first).addAll(run, run.summary);
      return;
    }
    for (let at = 0; at < run.length; at += 1) {
      const dateMs = run.dateMs(at);
      this.enter(dateMs).add(dateMs, run, at);
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
