import type { Reader } from '../storage/read-pool';
import { fill, type Limits, limitsOf, type Order } from './cursor-reads';
import type { PointKey } from './point-statements';
import { nameOf, readValueSizes } from './point-values';
import { ReadMemory } from './read-memory';
import type { ChunkPlace, Content, Run } from './runs';
import { SensorCursor } from './sensor-cursor';

/** A point of the order. `value` is null if it is long: it is read from its place in a chunk, or else by its key. */
export interface OrderedPoint extends PointKey {
  bytes: number;
  value: string | null;
  at?: ChunkPlace;
}

/** Reads the points of one sensor as runs: consecutive points from rows or from a chunk. */
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
 * Reads the points of all sensors in one order, in batches of a few thousand at most. It opens a chunk when one of its
 * points is due, and never needs two open chunks at a time.
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
      const due = inOrder(await findDue(heads, limits, memory), order.isDescending);
      const onPage = due.slice(left, left + wanted);
      left -= Math.min(left, due.length);
      wanted -= onPage.length;
      const points = await withSizes(from, await contentsOf(onPage, limits, memory));
      const bytes = points.reduce((sum, { value }) => sum + 2 * (value?.length ?? 0), 0);
      memory.hold(bytes);
      yield points;
      memory.release(bytes);
      for (const { cursor, dateMs } of due) cursor.leave(dateMs);
      cursors = heads.map(({ cursor }) => cursor);
    }
  } finally {
    for (const cursor of all) cursor.close();
    memory.end();
  }
}

/** Reads the first point of each sensor that has one. */
export async function readFirstOfEach(
  from: Reader,
  sensorIds: readonly number[],
  order: Order,
): Promise<OrderedPoint[]> {
  return withFirst(from, sensorIds, order, async (heads, memory, limits) => {
    const first = heads.map(({ cursor, run }) => dueOf(cursor, run, 0));
    return withSizes(from, await contentsOf(first, limits, memory));
  });
}

/** The key of the first point of each sensor that has one. Opens no chunk that does not reach across the range. */
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

/** Sorts by date, then by sensor. */
export function inOrder<T extends PointKey>(points: T[], isDescending: boolean): T[] {
  const sign = isDescending ? -1 : 1;
  return points.sort((a, b) => sign * (a.dateMs - b.dateMs) || a.sensorId - b.sensorId);
}

/** A cursor and its next run. */
interface Head {
  cursor: SensorCursor;
  run: Run;
}

/** A point whose value is not read yet. */
interface DuePoint extends PointKey, Head {
  index: number;
}

type FoundPoint = PointKey & Content;

/** The cursors that have points left. Closes the others. */
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

function dueOf(cursor: SensorCursor, run: Run, index: number): DuePoint {
  return { cursor, run, index, sensorId: cursor.sensorId, dateMs: run.dateMs(index) };
}

/** A batch of the next points, up to the date up to which all points are known. */
async function findDue(heads: readonly Head[], { points: most }: Limits, memory: ReadMemory): Promise<DuePoint[]> {
  const firstOf = ({ cursor, run }: Head) => cursor.distance(run.dateMs(0));
  const byStart = heads.map((head) => ({ ...head, first: firstOf(head) })).sort((a, b) => a.first - b.first);
  let until = Number.POSITIVE_INFINITY;
  for (const { cursor, run, first } of byStart) {
    if (first > until) break;
    until = Math.min(until, cursor.distance(run.dateMs(Math.min(run.length, most) - 1)));
    await memory.pauseIfDue();
  }
  const due: DuePoint[] = [];
  for (const { cursor, run, first } of byStart) {
    if (first > until) break;
    for (let index = 0; index < run.length && cursor.distance(run.dateMs(index)) <= until; index += 1) {
      due.push(dueOf(cursor, run, index));
    }
    await memory.pauseIfDue();
  }
  return due;
}

/** The points with their contents. Each chunk is opened once. */
async function contentsOf(
  points: readonly DuePoint[],
  { shortBytes }: Limits,
  memory: ReadMemory,
): Promise<FoundPoint[]> {
  const ranges = new Map<Run, { from: number; to: number; contents: Content[] }>();
  for (const { run, index } of points) {
    const range = ranges.get(run);
    if (range) range.to = index + 1;
    else ranges.set(run, { from: index, to: index + 1, contents: [] });
  }
  for (const [run, range] of ranges) {
    range.contents = run.contents(range.from, range.to, shortBytes);
    await memory.pauseIfDue();
  }
  return points.map(({ sensorId, dateMs, run, index }) => {
    const range = ranges.get(run);
    return { sensorId, dateMs, value: null, bytes: undefined, ...range?.contents[index - range.from] };
  });
}

/** The points with their sizes. Those of chunks that were left out are read by their keys. */
async function withSizes(from: Reader, points: readonly FoundPoint[]): Promise<OrderedPoint[]> {
  const unknown = points.filter(({ bytes }) => bytes === undefined);
  const sizes = unknown.length === 0 ? undefined : await readValueSizes(from, unknown);
  return points.map((point) => {
    const { sensorId, dateMs, value, at, bytes = sizes?.get(nameOf(point)) ?? 0 } = point;
    return { sensorId, dateMs, value, bytes, at };
  });
}
