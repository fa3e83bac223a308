import type { PoolConnection } from 'mysql2/promise';
import { PlatformError } from '../../platform/errors';
import { exactTimeOf, laterBy } from '../data-points/data-point';
import { FieldsTooLarge, UnitedFields } from '../data-points/united-fields';
import { lockExactTimes } from '../point-store/exact-times';
import type { PointKey } from '../point-store/point-statements';
import { nameOf, readPackedValues, readValues } from '../point-store/point-values';
import type { DatedBatch, DatedPoint, UploadedBatch } from './data-point-rows';
import { MOST_LOOKED_UP, MOST_STORED_BYTES, SURELY_ROWS_MS } from './knobs';
import type { Targets } from './upload-targets';

/** True if the point may complete a packed one. */
export function mayBePacked({ points, receivedMs }: UploadedBatch): boolean {
  const beforeMs = receivedMs - SURELY_ROWS_MS;
  return points.some(({ dateMs, belowNs }) => belowNs !== undefined && dateMs !== undefined && dateMs < beforeMs);
}

/**
 * Locks the rows of points with the exact time until the end of the transaction. A point whose date is taken gets the
 * first free one. Throws 413 for too large points: the sender divides the request.
 */
export async function unitePoints(
  connection: PoolConnection,
  batches: readonly DatedBatch[],
  targets: Targets,
): Promise<readonly DatedBatch[]> {
  const sensors = new Set(batches.filter((batch) => isUniting(batch, targets)).map(({ sensorId }) => sensorId));
  if (sensors.size === 0) return batches;
  const dates = new StoredDates(connection);
  const own = batches.filter(({ sensorId }) => sensors.has(sensorId));
  const placed = await placeAll(own, dates);
  const united = withFields(placed, await storedValues(connection, [...placed.values()]));
  return batches.map((batch) => {
    if (!sensors.has(batch.sensorId)) return batch;
    return { ...batch, points: batch.points.map((point) => united.get(point) ?? point) };
  });
}

function isUniting({ sensorId, points }: DatedBatch, targets: Targets): boolean {
  return targets.get(sensorId)?.stores === true && points.some(({ belowNs }) => belowNs !== undefined);
}

/** A row that came since is not read: it is not locked. */
async function storedValues(connection: PoolConnection, places: readonly Place[]): Promise<Map<string, string>> {
  const others = places.filter(({ isNew }) => isNew);
  const added = new Set(others.map(nameOf));
  const rows = places.filter((place) => !added.has(nameOf(place)));
  const values = await readValues(connection, rows, requireSmall);
  for (const [name, value] of await readPackedValues(connection, others, requireSmall)) values.set(name, value);
  return values;
}

interface Place extends PointKey {
  belowNs: number | undefined;
  isNew: boolean;
}

type Places = ReadonlyMap<DatedPoint, Place>;

async function placeAll(batches: readonly DatedBatch[], dates: StoredDates): Promise<Places> {
  await dates.lookUp(
    batches.flatMap(({ sensorId, points }) => points.map(({ dateMs }) => ({ sensorId, dateMs }))),
    1,
  );
  for (let ahead = 1; ; ahead *= 2) {
    const placing = new Placing(dates);
    for (const { sensorId, points } of batches) for (const point of points) placing.place(sensorId, point);
    if (placing.unknown.length === 0) return placing.places;
    await dates.lookUp(placing.unknown, ahead);
  }
}

class StoredDates {
  readonly known = new Map<string, number>();
  readonly taken = new Set<string>();
  private readonly seen = new Set<string>();

  constructor(private readonly connection: PoolConnection) {}

  has(key: PointKey): boolean {
    return this.seen.has(nameOf(key));
  }

  async lookUp(keys: readonly PointKey[], count: number): Promise<void> {
    const wanted = new Map<string, PointKey>();
    for (const { sensorId, dateMs } of keys) {
      for (let ms = 0; ms < count; ms += 1) {
        const key = { sensorId, dateMs: dateMs + ms };
        if (!this.has(key)) wanted.set(nameOf(key), key);
      }
    }
    for (const name of wanted.keys()) this.seen.add(name);
    if (this.seen.size > MOST_LOOKED_UP) throw tooLarge('the lines of one millisecond are too many');
    for (const { sensorId, dateMs, belowNs } of await lockExactTimes(this.connection, [...wanted.values()])) {
      this.taken.add(nameOf({ sensorId, dateMs }));
      this.known.set(identityOf(sensorId, dateMs, belowNs), dateMs);
    }
  }
}

class Placing {
  readonly places = new Map<DatedPoint, Place>();
  readonly unknown: PointKey[] = [];
  private readonly known = new Map<string, number>();
  private readonly taken = new Set<string>();
  /** Taken date → a later one that may be free. */
  private readonly next = new Map<string, number>();

  constructor(private readonly dates: StoredDates) {}

  place(sensorId: number, point: DatedPoint): void {
    const { dateMs, belowNs } = point;
    if (belowNs === undefined) {
      this.taken.add(nameOf({ sensorId, dateMs }));
      if (point.isDatedHere) return; // the point is alone at its date, or the commit fails
      this.known.set(identityOf(sensorId, dateMs, 0), dateMs);
      this.places.set(point, { sensorId, dateMs, belowNs, isNew: false });
      return;
    }
    const identity = identityOf(sensorId, dateMs, belowNs);
    const same = this.known.get(identity) ?? this.dates.known.get(identity);
    const placeMs = same ?? this.firstFree(sensorId, dateMs);
    if (placeMs === undefined) return;
    this.taken.add(nameOf({ sensorId, dateMs: placeMs }));
    this.known.set(identity, placeMs);
    const { belowNs: offset } = laterBy(point, dateMs, placeMs - dateMs);
    this.places.set(point, { sensorId, dateMs: placeMs, belowNs: offset, isNew: same === undefined });
  }

  private firstFree(sensorId: number, fromMs: number): number | undefined {
    const passed: string[] = [];
    let dateMs = fromMs;
    for (let name = nameOf({ sensorId, dateMs }); this.isTaken(name); name = nameOf({ sensorId, dateMs })) {
      passed.push(name);
      dateMs = this.next.get(name) ?? dateMs + 1;
    }
    for (const name of passed) this.next.set(name, dateMs);
    if (this.dates.has({ sensorId, dateMs })) return dateMs;
    this.unknown.push({ sensorId, dateMs });
    return undefined;
  }

  private isTaken(name: string): boolean {
    return this.taken.has(name) || this.dates.taken.has(name);
  }
}

/** The last point of a date in the commit is its row; it is new if the first one is. */
function withFields(places: Places, values: ReadonlyMap<string, string>): Map<DatedPoint, DatedPoint> {
  const united = new Map<DatedPoint, DatedPoint>();
  const latest = new Map<string, { from: DatedPoint; fields: UnitedFields; isNew: boolean }>();
  for (const [point, place] of places) {
    const name = nameOf(place);
    const before = latest.get(name);
    const stored = values.get(name);
    const fields = fieldsOf(point, before?.fields, stored);
    const { isNew } = before ?? place;
    const earlier = before && united.get(before.from);
    if (before && earlier) united.set(before.from, { ...earlier, isSuperseded: true });
    latest.set(name, { from: point, fields, isNew });
    const { dateMs, belowNs } = place;
    const dated = { value: textOf(fields), dateMs };
    united.set(point, isNew && belowNs !== undefined ? { ...dated, belowNs } : dated);
  }
  return united;
}

function fieldsOf(point: DatedPoint, before: UnitedFields | undefined, stored: string | undefined): UnitedFields {
  if (point.belowNs === undefined) return new UnitedFields(point.value);
  const fields = before ?? (stored === undefined ? undefined : new UnitedFields(stored));
  fields?.add(point.value);
  return fields ?? new UnitedFields(point.value);
}

function textOf(fields: UnitedFields): string {
  try {
    return fields.value;
  } catch (error) {
    throw error instanceof FieldsTooLarge ? tooLarge(error.message) : error;
  }
}

function identityOf(sensorId: number, dateMs: number, belowNs: number): string {
  const { cutMs, restNs } = exactTimeOf(dateMs, belowNs);
  return `${sensorId} ${cutMs} ${restNs}`;
}

function requireSmall(bytes: number): void {
  if (bytes > MOST_STORED_BYTES) throw tooLarge('the stored points of these times are too large together');
}

function tooLarge(why: string): PlatformError {
  return new PlatformError(413, 'too_large', why);
}
