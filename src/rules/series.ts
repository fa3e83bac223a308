import { hash } from 'node:crypto';
import type { UploadedPoint } from './data-point';

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
  /** The part of its date below a millisecond, in units of the protocol: distinguishes points within a millisecond. */
  belowMs?: number;
}

/** A value of a field, as its protocol reports it. A number may be its text, so that none of its digits is lost. */
export type FieldValue = string | number | boolean;

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
  if (kept.length > 1 || first[0] !== 'value')
    return { value: JSON.stringify(Object.fromEntries(kept)), dataType: 'json' };
  return { value: String(first[1]), dataType: dataTypeOf(first[1]) };
}

function dataTypeOf(value: FieldValue): SeriesDataType {
  if (typeof value === 'number') return 'float';
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
 * The points by series. Points of a series within the same millisecond are dated apart, each at the next free
 * millisecond of the request. A point that is given twice is one.
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
  return [...byName.values()];
}

/** The points of a series in a request. */
class DatedSeries implements SeriesPoints {
  readonly points: SeriesPoint[] = [];
  private latestMs = Number.NEGATIVE_INFINITY;
  /** Only once a point is not later than all before it. */
  private dates: Dates | undefined;

  constructor(readonly series: Series) {}

  add(point: SeriesPoint): void {
    const { dateMs } = point;
    const isDoubtful = dateMs !== undefined && (this.dates !== undefined || dateMs <= this.latestMs);
    if (isDoubtful) this.addApart(point);
    else this.points.push(point);
    if (dateMs !== undefined && dateMs > this.latestMs) this.latestMs = dateMs;
  }

  private addApart(point: SeriesPoint): void {
    this.dates ??= new Dates(this.points);
    const dateMs = this.dates.take(point);
    if (dateMs !== 'repeated') this.points.push(dateMs === point.dateMs ? point : { ...point, dateMs });
  }
}

/** The dates of the points of a series in a request. */
class Dates {
  private readonly taken = new Set<number>();
  /** For a taken date: a later one that may be free. */
  private readonly next = new Map<number, number>();
  private readonly seen = new Set<string>();

  constructor(points: readonly SeriesPoint[]) {
    for (const point of points) this.take(point);
  }

  /** The first free date from that of the point on, which it takes. */
  take({ dateMs, belowMs = 0, value }: SeriesPoint): number | undefined | 'repeated' {
    if (dateMs === undefined) return undefined;
    const identity = `${dateMs} ${belowMs} ${value}`;
    if (this.seen.has(identity)) return 'repeated';
    this.seen.add(identity);
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
