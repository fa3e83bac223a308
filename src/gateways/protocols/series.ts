import { hash } from 'node:crypto';
import { exactJson, LongNumber } from '../../platform/exact-json';
import { laterBy, UnitedFields, type UploadedPoint } from '../../points';

/** Families of protocols, each with its own outside names and namespace of metatags. */
export const SERIES_NAMESPACES = ['influx', 'lorawan', 'weather', 'prometheus', 'mqtt'] as const;
export type SeriesNamespace = (typeof SERIES_NAMESPACES)[number];

/** Maximum number of characters. */
export const MAX_SERIES_NAME = 2_000;
const [MAX_UNIT, MAX_UNITS] = [32, 100];

export interface Series {
  namespace: SeriesNamespace;
  /** Unique among the series of owner and namespace. At most `MAX_SERIES_NAME`. */
  name: string;
  title: string;
  /** `device_type` of a new sensor: `influx`, `ttn`, `ecowitt`. */
  source: string;
  /** `data_type` of a new sensor. */
  dataType: SeriesDataType;
  /** Become metatags of a new sensor. */
  tags: Readonly<Record<string, string>>;
  /** Units by field; of a plain value under `value`. */
  units: Readonly<Record<string, string>>;
}

export type SeriesDataType = 'float' | 'boolean' | 'string' | 'json';

/** Series under `from`, or below it and a slash, belong under `to` from now on. */
export interface SeriesLead {
  from: string;
  to: string;
}

export interface SeriesPoint extends UploadedPoint {
  series: Series;
}

/** As the protocol reports it. */
export type FieldValue = string | number | boolean | LongNumber;

/**
 * A single field `value` is plain, anything else JSON. Leaves out numbers that are not finite; undefined if no field
 * remains.
 */
export function valueOfFields(
  fields: Readonly<Record<string, FieldValue>>,
): { value: string; dataType: SeriesDataType } | undefined {
  const kept = Object.entries(fields).filter(([, value]) => typeof value !== 'number' || Number.isFinite(value));
  const [first] = kept;
  if (!first) return undefined;
  if (kept.length > 1 || first[0] !== 'value') return { value: exactJson(Object.fromEntries(kept)), dataType: 'json' };
  return { value: String(first[1]), dataType: dataTypeOf(first[1]) };
}

function dataTypeOf(value: FieldValue): SeriesDataType {
  if (typeof value === 'number' || value instanceof LongNumber) return 'float';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

/** Unique among all series of the owner. */
export function seriesHash({ namespace, name }: Pick<Series, 'namespace' | 'name'>): string {
  return hash('sha256', `${namespace}\n${name}`);
}

/** Plain unit, and units of fields as JSON, within their limits. */
export function unitsOf({ units, dataType }: Pick<Series, 'units' | 'dataType'>): {
  unit: string;
  fieldUnits: string | null;
} {
  const known = Object.entries(units).filter(([, unit]) => unit !== '' && [...unit].length <= MAX_UNIT);
  if (dataType !== 'json') return { unit: new Map(known).get('value') ?? '', fieldUnits: null };
  return {
    unit: '',
    fieldUnits: known.length === 0 ? null : JSON.stringify(Object.fromEntries(known.slice(0, MAX_UNITS))),
  };
}

export interface SeriesPoints {
  series: Series;
  points: UploadedPoint[];
}

/**
 * Unites points of one exact time where their protocol says so. Dates others within a millisecond apart. Drops repeated
 * points. Throws FieldsTooLarge.
 */
export function bySeries(points: readonly SeriesPoint[]): SeriesPoints[] {
  const byName = new Map<string, DatedSeries>();
  const groups = new Map<Series, DatedSeries>(); // protocols share an object: few names are compared
  for (const point of points) {
    let group = groups.get(point.series);
    if (!group) {
      const name = `${point.series.namespace}\n${point.series.name}`;
      group = byName.get(name) ?? new DatedSeries(point.series);
      byName.set(name, group);
      groups.set(point.series, group);
    }
    group.add(point);
  }
  const all = [...byName.values()];
  for (const one of all) one.unite();
  return all;
}

class DatedSeries implements SeriesPoints {
  readonly points: SeriesPoint[] = [];
  private latestMs = Number.NEGATIVE_INFINITY;
  /** Set once a point is not later than all before it. */
  private dates: Dates | undefined;
  private readonly united = new Map<number, UnitedFields>();

  constructor(readonly series: Series) {}

  add(point: SeriesPoint): void {
    const { dateMs } = point;
    const isDoubtful = dateMs !== undefined && (this.dates !== undefined || dateMs <= this.latestMs);
    if (isDoubtful) this.addApart(point, dateMs);
    else this.points.push(point);
    if (dateMs !== undefined && dateMs > this.latestMs) this.latestMs = dateMs;
  }

  unite(): void {
    for (const [index, { value }] of this.united) {
      const point = this.points[index];
      if (point) this.points[index] = { ...point, value };
    }
  }

  private addApart(point: SeriesPoint, dateMs: number): void {
    const { points, united } = this;
    this.dates ??= new Dates(points);
    const same = this.dates.indexOf(point);
    const former = same === undefined ? undefined : points[same];
    if (same === undefined || !former) {
      const freeMs = this.dates.take(point, dateMs, points.length);
      points.push(freeMs === dateMs ? point : laterBy(point, dateMs, freeMs - dateMs));
      return;
    }
    const fields = united.get(same);
    if (fields) fields.add(point.value);
    else if (former.value !== point.value) {
      const both = new UnitedFields(former.value);
      both.add(point.value);
      united.set(same, both);
    }
  }
}

/** Dates of a series' points in a request. */
class Dates {
  private readonly taken = new Set<number>();
  private readonly next = new Map<number, number>();
  private readonly known = new Map<string, number>();

  constructor(points: readonly SeriesPoint[]) {
    for (const [index, point] of points.entries()) {
      if (point.dateMs !== undefined) this.take(point, point.dateMs, index);
    }
  }

  indexOf(point: SeriesPoint): number | undefined {
    return this.known.get(identityOf(point));
  }

  /** The first free date from that of a new point on. */
  take(point: SeriesPoint, dateMs: number, index: number): number {
    this.known.set(identityOf(point), index);
    let freeMs = dateMs;
    while (this.taken.has(freeMs)) freeMs = this.next.get(freeMs) ?? freeMs + 1;
    this.taken.add(freeMs);
    for (let atMs = dateMs; atMs < freeMs; ) {
      const followingMs = this.next.get(atMs) ?? atMs + 1;
      this.next.set(atMs, freeMs + 1);
      atMs = followingMs;
    }
    return freeMs;
  }
}

/** The exact time, where it says which points are one; otherwise date and value. */
function identityOf({ dateMs, belowNs, value }: SeriesPoint): string {
  return belowNs === undefined ? `${dateMs} = ${value}` : `${dateMs} ${belowNs}`;
}
