import type { Reader } from '../../storage/read-pool';
import { fill, type Limits, limitsOf, type Order } from './cursor-reads';
import type { PointKey } from './point-statements';
import { nameOf, readValueSizes } from './point-values';
import { ReadMemory } from './read-memory';
import type { FoundPoint, Run } from './runs';
import { SensorCursor } from './sensor-cursor';

export interface OrderedPoint extends FoundPoint {
  bytes: number;
}

export async function* readRuns(from: Reader, sensorId: number, order: Order): AsyncGenerator<Run> {
  const memory = new ReadMemory();
  const cursor = new SensorCursor(sensorId, order, order.isDescending, memory);
  const limits = limitsOf(1, order);
  try {
    for (;;) {
      await fill(from, [cursor], memory, limits);
      const run = cursor.run();
      if (!run) return;
      yield run;
      await memory.pauseIfDue();
      cursor.leave(run.dateMs(run.length - 1));
    }
  } finally {
    cursor.close();
    memory.end();
  }
}

/**
 * Merges all sensors in one order, in batches of a few thousand. Opens a chunk when one of its points is due, and never
 * needs two at a time.
 */
export async function* readInOrder(
  from: Reader,
  sensorIds: readonly number[],
  order: Order,
): AsyncGenerator<OrderedPoint[]> {
  const memory = new ReadMemory();
  const all = cursorsOf(sensorIds, order, memory);
  let { offset: left, limit: wanted } = order.page ?? { offset: 0, limit: Number.POSITIVE_INFINITY };
  try {
    for (let cursors = all; wanted > 0; ) {
      const limits = limitsOf(cursors.length, order);
      await fill(from, cursors, memory, limits);
      const heads = headsOf(cursors);
      if (heads.length === 0) return;
      const due = await findDue(heads, limits, memory);
      const total = due.reduce((sum, { to }) => sum + to, 0);
      const onPage = rangesOnPage(due, { offset: left, limit: wanted }, total, order);
      left -= Math.min(left, total);
      const points = inOrder(await withSizes(from, await take(onPage, limits, memory)), order.isDescending);
      wanted -= points.length;
      const bytes = points.reduce((sum, { value }) => sum + 2 * (value?.length ?? 0), 0);
      memory.hold(bytes);
      yield points;
      memory.release(bytes);
      for (const { cursor, run, to } of due) cursor.leave(run.dateMs(to - 1));
      cursors = heads.map(({ cursor }) => cursor);
    }
  } finally {
    for (const cursor of all) cursor.close();
    memory.end();
  }
}

export async function readFirstOfEach(
  from: Reader,
  sensorIds: readonly number[],
  order: Order,
): Promise<OrderedPoint[]> {
  return withFirst(from, sensorIds, order, async (heads, memory, limits) => {
    const first = heads.map((head) => ({ ...head, from: 0, to: 1 }));
    return withSizes(from, await take(first, limits, memory));
  });
}

/** Opens only chunks that reach across the range. */
export function readFirstKeys(from: Reader, sensorIds: readonly number[], order: Order): Promise<PointKey[]> {
  return withFirst(from, sensorIds, order, async (heads) =>
    heads.map(({ cursor, run }) => ({ sensorId: cursor.sensorId, dateMs: run.dateMs(0) })),
  );
}

async function withFirst<T>(
  from: Reader,
  sensorIds: readonly number[],
  order: Order,
  take: (heads: readonly Head[], memory: ReadMemory, limits: Limits) => Promise<T>,
): Promise<T> {
  const memory = new ReadMemory();
  const first = { ...order, page: { offset: 0, limit: 1 } };
  const cursors = cursorsOf(sensorIds, first, memory);
  const limits = limitsOf(cursors.length, first);
  try {
    await fill(from, cursors, memory, limits);
    return await take(headsOf(cursors), memory, limits);
  } finally {
    for (const cursor of cursors) cursor.close();
    memory.end();
  }
}

export function inOrder<T extends PointKey>(points: T[], isDescending: boolean): T[] {
  const sign = isDescending ? -1 : 1;
  return points.sort((a, b) => sign * (a.dateMs - b.dateMs) || a.sensorId - b.sensorId);
}

interface Head {
  cursor: SensorCursor;
  run: Run;
}

interface Range extends Head {
  from: number;
  to: number;
}

function headsOf(cursors: readonly SensorCursor[]): Head[] {
  return cursors.flatMap((cursor) => {
    const run = cursor.run();
    if (run) return [{ cursor, run }];
    cursor.close();
    return [];
  });
}

function cursorsOf(sensorIds: readonly number[], order: Order, memory: ReadMemory): SensorCursor[] {
  return [...new Set(sensorIds)].map((id) => new SensorCursor(id, order, order.isDescending, memory));
}

/** Takes points up to the date up to which all points are known. */
async function findDue(heads: readonly Head[], { points: most }: Limits, memory: ReadMemory): Promise<Range[]> {
  const firstOf = ({ cursor, run }: Head) => cursor.distance(run.dateMs(0));
  const byStart = heads.map((head) => ({ ...head, first: firstOf(head) })).sort((a, b) => a.first - b.first);
  let until = Number.POSITIVE_INFINITY;
  for (const { cursor, run, first } of byStart) {
    if (first > until) break;
    until = Math.min(until, cursor.distance(run.dateMs(Math.min(run.length, most) - 1)));
    await memory.pauseIfDue();
  }
  const due: Range[] = [];
  for (const { cursor, run, first } of byStart) {
    if (first > until) break;
    let to = 1;
    while (to < run.length && cursor.distance(run.dateMs(to)) <= until) to += 1;
    due.push({ cursor, run, from: 0, to });
    await memory.pauseIfDue();
  }
  return due;
}

/** The page is counted from the first point of the ranges. */
function rangesOnPage(
  due: readonly Range[],
  { offset, limit }: { offset: number; limit: number },
  total: number,
  { isDescending }: Order,
): Iterable<Range> {
  if (offset >= total) return [];
  if (offset === 0 && limit >= total) return due;
  const points = due.flatMap(({ cursor, run, to }) => {
    const { sensorId } = cursor;
    return Array.from({ length: to }, (_, index) => ({ sensorId, dateMs: run.dateMs(index), cursor, run, index }));
  });
  const ranges = new Map<Run, Range>();
  for (const { cursor, run, index } of inOrder(points, isDescending).slice(offset, offset + limit)) {
    const range = ranges.get(run);
    if (range) range.to = index + 1;
    else ranges.set(run, { cursor, run, from: index, to: index + 1 });
  }
  return ranges.values();
}

async function take(ranges: Iterable<Range>, { shortBytes }: Limits, memory: ReadMemory): Promise<FoundPoint[]> {
  const parts: FoundPoint[][] = [];
  for (const { run, from, to } of ranges) {
    parts.push(run.points(from, to, shortBytes));
    await memory.pauseIfDue();
  }
  return parts.flat();
}

async function withSizes(from: Reader, points: FoundPoint[]): Promise<OrderedPoint[]> {
  if (points.every(isSized)) return points;
  const sizes = await readValueSizes(
    from,
    points.filter((point) => !isSized(point)),
  );
  return points.map((point) => (isSized(point) ? point : { ...point, bytes: sizes.get(nameOf(point)) ?? 0 }));
}

function isSized(point: FoundPoint): point is OrderedPoint {
  return point.bytes !== undefined;
}
