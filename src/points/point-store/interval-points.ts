import type { RowDataPacket } from 'mysql2/promise';
import type { Page } from '../../edge/paging';
import { partsByWeight } from '../../platform/parts-of';
import type { Reader } from '../../storage/read-pool';
import { type Aggregate, EXTREMES, type ShownAggregates, type SingleAggregate } from '../data-points/aggregates';
import { dataPointId, type StoredDataPoint } from '../data-points/data-point';
import { readEitherWay } from './chunk-presence';
import { extremeState, readFieldIntervals } from './field-intervals';
import { countMergedIntervals, type IntervalRow, readMergedIntervals } from './merged-intervals';
import type { PointReads } from './merged-points';
import { type IntervalQuery, intervalStatements, type PointKey } from './point-statements';
import { type Guard, nameOf, readValues } from './point-values';

/** Intervals per part that show a stored value, which has up to 64 KB. */
const VALUES_OF_A_PART = 16;

export async function readIntervals(
  from: PointReads,
  sensorIds: readonly number[],
  query: IntervalQuery,
  page: Page,
  guard?: Guard,
): Promise<StoredDataPoint[]> {
  return withValues(from, query, await findIntervals(from, sensorIds, query, page), guard);
}

export async function* readIntervalParts(
  from: PointReads,
  sensorIds: readonly number[],
  query: IntervalQuery,
  page: Page,
): AsyncGenerator<StoredDataPoint[]> {
  const intervals = await findIntervals(from, sensorIds, query, page);
  const { aggregate } = query.intervals;
  const weightOf = (row: IntervalRow) => (isOfFields(row) || keyShown(row, aggregate) ? 1 : 0);
  for (const part of partsByWeight(intervals, weightOf, VALUES_OF_A_PART)) yield await withValues(from, query, part);
}

function namesOf(aggregate: Aggregate): readonly [SingleAggregate, ...SingleAggregate[]] {
  return aggregate === 'all' ? ['mean', ...EXTREMES] : [aggregate];
}

async function findIntervals(
  from: PointReads,
  sensorIds: readonly number[],
  query: IntervalQuery,
  page: Page,
): Promise<IntervalRow[]> {
  return readEitherWay(from.reads, {
    sensorIds,
    range: query,
    ofRows: () => findInRows(from.reads, intervalStatements(sensorIds, query, page).page, query),
    ofBoth: () => readMergedIntervals(from, sensorIds, query, page),
  });
}

export function countIntervals(from: PointReads, sensorIds: readonly number[], query: IntervalQuery): Promise<number> {
  const ofRows = async () => {
    const statement = intervalStatements(sensorIds, query, { offset: 0, limit: 0, withTotal: true }).count;
    const [[counted]] = await from.reads.query<RowDataPacket[]>(statement);
    return Number(counted?.total);
  };
  const ofBoth = () => countMergedIntervals(from, sensorIds, query);
  return readEitherWay(from.reads, { sensorIds, range: query, ofRows, ofBoth });
}

async function findInRows(reads: Reader, statement: string, query: IntervalQuery): Promise<IntervalRow[]> {
  const names = namesOf(query.intervals.aggregate);
  const [rows] = await reads.query<RowDataPacket[]>(statement);
  return rows.map((row) => ({
    sensorId: Number(row.sensorId),
    startMs: Number(row.startMs),
    firstMs: Number(row.firstMs),
    lastMs: Number(row.lastMs),
    objects: Number(row.objects),
    hasTrue: Number(row.true) > 0,
    hasFalse: Number(row.false) > 0,
    numbers: names.every((name) => (name === 'count' ? Number(row.count) > 0 : row[name] !== null))
      ? Object.fromEntries(names.map((name) => [name, Number(row[name])]))
      : undefined,
  }));
}

/** Shows aggregates of numbers, or else of fields of JSON objects, or else of states, or else the last value, or the first. */
async function withValues(
  from: PointReads,
  query: IntervalQuery,
  intervals: readonly IntervalRow[],
  guard?: Guard,
): Promise<StoredDataPoint[]> {
  const { aggregate } = query.intervals;
  const names = namesOf(aggregate);
  let held = 0;
  const charge = (bytes: number) => {
    held += bytes;
    guard?.(held);
  };
  const keys = intervals.flatMap((row) => keyShown(row, aggregate) ?? []);
  const texts = await readValues(from.reads, keys, charge);
  const ofFields = await readFieldIntervals(from, query, { names, intervals: intervals.filter(isOfFields), charge });
  return intervals.flatMap((row) => {
    const { sensorId, startMs, lastMs } = row;
    const key = keyShown(row, aggregate);
    const shown = isOfFields(row)
      ? ofFields.get(nameOf({ sensorId, dateMs: startMs }))
      : shownNumbers(row, names, key && texts.get(nameOf(key)));
    const { [names[0]]: value, min, max, count } = shown ?? {};
    // The point was deleted meanwhile.
    if (value === undefined) return [];
    const point = { id: dataPointId(lastMs), sensorId, dateMs: startMs, value };
    if (aggregate !== 'all') return [point];
    return [{ ...point, extremes: { min: min ?? value, max: max ?? value, count: count ?? '0' } }];
  });
}

function isOfFields({ numbers, objects }: IntervalRow): boolean {
  return numbers === undefined && objects > 0;
}

function keyShown(row: IntervalRow, aggregate: Aggregate): PointKey | undefined {
  const { sensorId, numbers, firstMs, lastMs } = row;
  const isOfOne = aggregate === 'first' || aggregate === 'last';
  if (numbers) return isOfOne ? { sensorId, dateMs: numbers[aggregate] ?? lastMs } : undefined;
  if (isOfFields(row) || aggregate === 'count') return undefined;
  return { sensorId, dateMs: aggregate === 'first' ? firstMs : lastMs };
}

function shownNumbers(row: IntervalRow, names: readonly SingleAggregate[], text: string | undefined): ShownAggregates {
  const { numbers } = row;
  return Object.fromEntries(
    names.map((name) => {
      if (name === 'count') return [name, String(numbers?.count ?? 0)];
      return [name, numbers ? (text ?? String(numbers[name])) : (extremeState(row, name) ?? text)];
    }),
  );
}
