import { hash } from 'node:crypto';
import { exactJson, LongNumber } from '../../platform/exact-json';
import { laterBy, UnitedFields, type UploadedPoint } from '../../points';

/** The families of protocols. Each has its own outside names, and its own namespace of metatags. */
export const SERIES_NAMESPACES = ['influx', 'lorawan', 'weather', 'prometheus', 'mqtt'] as const;
export type SeriesNamespace = (typeof SERIES_NAMESPACES)[number];

/** Maximum length of an outside name, in characters. */
export const MAX_SERIES_NAME = 2_000;
/** Maximum length of a unit, and number of fields with one, of a sensor. */
const [MAX_UNIT, MAX_UNITS] = [32, 100];

/** A series as its protocol names it, and what the protocol says about it. */
export interface Series {
  namespace: SeriesNamespace;
  /** The outside name: identifies the series among those of its owner and namespace. At most `MAX_SERIES_NAME`. */
  name: string;
  /** The name of a sensor that is made for it. */
  title: string;
  /** The protocol, as `device_type` of that sensor: `influx`, `ttn`, `ecowitt`. */
  source: string;
  /** What its points are now, as `data_type` of that sensor. */
  dataType: SeriesDataType;
  /** Become metatags of that sensor. */
  tags: Readonly<Record<string, string>>;
  /** Units of fields; that of a plain value is under the name `value`. */
  units: Readonly<Record<string, string>>;
}

export type SeriesDataType = 'float' | 'boolean' | 'string' | 'json';

/** Series under a name, or below it and a slash, that belong under another name from now on. */
export interface SeriesLead {
  from: string;
  to: string;
}

/** A data point of a series. */
export interface SeriesPoint extends UploadedPoint {
  series: Series;
}

/** A value of a field, as its protocol reports it. */
export type FieldValue = string | number | boolean | LongNumber;

/**
 * The stored value of the fields of a message: a single field `value` is stored plainly, anything else as JSON. Fields
 * that are no finite number are left out; undefined if none remains.
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

/** Identifies a series among all of its owner. */
export function seriesHash({ namespace, name }: Pick<Series, 'namespace' | 'name'>): string {
  return hash('sha256', `${namespace}\n${name}`);
}

/** The units of a sensor that is made for a series: of a plain value, and of fields as JSON, within their limits. */
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

/** The points of one series, in order of arrival. */
export interface SeriesPoints {
  series: Series;
  points: UploadedPoint[];
}

/**
 * The points by series. Points of one exact time are united where their protocol says so. Other points of a series within
 * the same millisecond are dated apart, each at the next free millisecond of the request. A point that is given twice is
 * one. Throws FieldsTooLarge.
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

/** The points of a series in a request. */
class DatedSeries implements SeriesPoints {
  readonly points: SeriesPoint[] = [];
  private latestMs = Number.NEGATIVE_INFINITY;
  /** Only once a point is not later than all before it. */
  private dates: Dates | undefined;
  /** The fields of points that came in several parts, by index. */
  private readonly united = new Map<number, UnitedFields>();

  constructor(readonly series: Series) {}

  add(point: SeriesPoint): void {
    const { dateMs } = point;
    const isDoubtful = dateMs !== undefined && (this.dates !== undefined || dateMs <= this.latestMs);
    if (isDoubtful) this.addApart(point, dateMs);
    else this.points.push(point);
    if (dateMs !== undefined && dateMs > this.latestMs) this.latestMs = dateMs;
  }

  /** Sets the values of the points that came in several parts. */
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

/** The dates of the points of a series in a request. */
class Dates {
  private readonly taken = new Set<number>();
  /** For a taken date: a later one that may be free. */
  private readonly next = new Map<number, number>();
  /** The index of each point. */
  private readonly known = new Map<string, number>();

  constructor(points: readonly SeriesPoint[]) {
    for (const [index, point] of points.entries()) {
      if (point.dateMs !== undefined) this.take(point, point.dateMs, index);
    }
  }

  /** The index of the point that this one repeats or completes. */
  indexOf(point: SeriesPoint): number | undefined {
    return this.known.get(identityOf(point));
  }

  /** Takes the first free date from that of a new point on. */
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

/** The exact time, where it says which points are one; otherwise the date and the value. */
function identityOf({ dateMs, belowNs, value }: SeriesPoint): string {
  return belowNs === undefined ? `${dateMs} = ${value}` : `${dateMs} ${belowNs}`;
}
