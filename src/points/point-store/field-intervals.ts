import { setImmediate } from 'node:timers/promises';
import { intervalAt } from '../../edge/intervals';
import { InvalidInput, TakesTooLong } from '../../platform/errors';
import { chargedUser } from '../../storage/cancellation';
import type { ShownAggregates, SingleAggregate } from '../data-points/aggregates';
import type { StoredDataPoint } from '../data-points/data-point';
import { FieldAggregates, MOST_AGGREGATED } from '../data-points/field-aggregates';
import { type PointReads, readRange } from './merged-points';
import type { IntervalQuery } from './point-statements';
import { nameOf } from './point-values';

const MOST_MS = 10_000;

/** Size of the aggregated fields of one sensor in one page. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
const TOO_LARGE = 'asks for more than 8 MB of aggregated fields at once; ask for fewer per page';

interface FieldInterval {
  sensorId: number;
  startMs: number;
  firstMs: number;
  lastMs: number;
  hasTrue: boolean;
  hasFalse: boolean;
}

interface Wanted {
  intervals: readonly FieldInterval[];
  names: readonly SingleAggregate[];
  charge: (bytes: number) => void;
}

/**
 * SQL would read each object once for each field, and has no path to fields of any name. Throws TakesTooLong after ten
 * seconds.
 */
export async function readFieldIntervals(from: PointReads, query: IntervalQuery, wanted: Wanted) {
  const results = new Map<string, ShownAggregates>();
  const deadline = performance.now() + MOST_MS;
  const bySensor = new Map<number, FieldInterval[]>();
  for (const one of wanted.intervals) bySensor.set(one.sensorId, [...(bySensor.get(one.sensorId) ?? []), one]);
  for (const [sensorId, own] of bySensor) {
    const collector = new Collector(query, wanted, new Map(own.map((one) => [one.startMs, one])));
    const range = {
      startMs: own.reduce((first, { firstMs }) => Math.min(first, firstMs), query.endMs),
      endMs: own.reduce((last, { lastMs }) => Math.max(last, lastMs), query.startMs),
    };
    for await (const points of readRange(from.reads, [sensorId], { ...range, descending: false })) {
      if (performance.now() > deadline) throw new TakesTooLong();
      await from.computing.run(chargedUser() ?? 0, async () => {
        for (const point of points) collector.add(point);
        await setImmediate(); // yields to all other work
      });
    }
    for (const [startMs, shown] of collector.end()) results.set(nameOf({ sensorId, dateMs: startMs }), shown);
  }
  return results;
}

class Collector {
  private readonly results = new Map<number, ShownAggregates>();
  private characters = 0;
  private current?: { startMs: number; endMs: number; first: string; last: string; fields: FieldAggregates };

  constructor(
    private readonly query: IntervalQuery,
    private readonly wanted: Wanted,
    private readonly intervals: ReadonlyMap<number, FieldInterval>,
  ) {}

  add({ dateMs, value }: StoredDataPoint): void {
    if (!this.current || dateMs >= this.current.endMs) {
      this.finish();
      const interval = intervalAt(this.query.intervals.pieces, dateMs);
      this.current = { ...interval, first: value, last: value, fields: new FieldAggregates() };
    }
    const { current } = this;
    current.last = value;
    if (!this.intervals.has(current.startMs) || current.fields.add(value)) return;
    const { fields, characters } = MOST_AGGREGATED;
    throw InvalidInput.field(
      'interval',
      `meets values with more than ${fields} fields, or ${characters} characters in their names: read them without it`,
    );
  }

  end(): ReadonlyMap<number, ShownAggregates> {
    this.finish();
    return this.results;
  }

  private finish(): void {
    const { current } = this;
    const interval = current && this.intervals.get(current.startMs);
    if (!current || !interval) return;
    const { first, last, fields } = current;
    // A text may begin as an object does, and be none.
    const plain = (name: SingleAggregate) =>
      name === 'count' ? '0' : (extremeState(interval, name) ?? (name === 'first' ? first : last));
    const shown = this.wanted.names.map((name) => [name, fields.show(name) ?? plain(name)] as const);
    const more = shown.reduce((sum, [, text]) => sum + text.length, 0);
    this.characters += more;
    if (this.characters > MOST_CHARACTERS) throw InvalidInput.field('per_page', TOO_LARGE);
    this.wanted.charge(more);
    this.results.set(current.startMs, Object.fromEntries(shown));
  }
}

/** The lower of `false` and `true` is `false`. Undefined without one of them. */
export function extremeState(
  { hasTrue, hasFalse }: Pick<FieldInterval, 'hasTrue' | 'hasFalse'>,
  name: SingleAggregate,
): string | undefined {
  if (!(hasTrue || hasFalse) || (name !== 'min' && name !== 'max')) return undefined;
  return String(name === 'max' ? hasTrue : !hasFalse);
}
