import { createHash } from 'node:crypto';
import type { UploadedPoint } from './data-point';

/** The families of protocols. Each has its own outside names, and its own namespace of metatags. */
export const SERIES_NAMESPACES = ['influx', 'lorawan', 'weather', 'prometheus', 'mqtt'] as const;
export type SeriesNamespace = (typeof SERIES_NAMESPACES)[number];

/** Maximum length of an outside name, in characters. */
export const MAX_SERIES_NAME = 2_000;

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

/** A data point of a series. */
export interface SeriesPoint extends UploadedPoint {
  series: Series;
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
  return createHash('sha256').update(`${namespace}\n${name}`).digest('hex');
}
