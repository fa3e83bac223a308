import type { Metatags, MetatagValue } from '../domain/metatags';
import type { PageOf } from '../domain/paging';
import type { TaggedSensor } from '../services/metatags/metatag-search';
import { toSensorView } from './sensor.view';

/** The metatags of a sensor in a namespace. */
export interface MetatagsResponse {
  /**
   * Name → list of values.
   * @example {"room": ["kitchen"], "floor": [1, 2]}
   */
  metatags: unknown;
}

/** A sensor with its metatags. */
export interface TaggedSensorView {
  /** @example "42" */
  id: string;
  /** @example "greenhouse" */
  name?: string;
  /** @example "Greenhouse, south wall" */
  display_name?: string;
  /** @example "0" */
  type?: string;
  /** @example "BME280" */
  device_type?: string;
  /** @example "4" */
  data_type_id?: string;
  /** @example "none" */
  pager_type?: string;
  /** @example "json" */
  data_type?: string;
  /** @example "" */
  data_structure?: string;
  /**
   * Name → list of values; absent with `details=no`.
   * @example {"room": ["kitchen"]}
   */
  metatags?: unknown;
}

/** The answer that carries a page of sensors with their metatags. */
export interface TaggedSensorsResponse {
  sensors: TaggedSensorView[];
  /**
   * How many sensors all pages hold; with `total=1`.
   * @example 1
   */
  total?: number;
}

/** The distinct values of a metatag. */
export interface DistinctValuesResponse {
  /**
   * Numbers first, then by text.
   * @example ["kitchen"]
   */
  distinct_values: unknown[];
  /**
   * How many values all pages hold; with `total=1`.
   * @example 1
   */
  total?: number;
}

/** An object without a prototype: a name may be one that objects have. */
export function toMetatagsView(metatags: Metatags): Record<string, readonly MetatagValue[]> {
  return Object.assign(Object.create(null), Object.fromEntries(metatags));
}

export function toTaggedSensorsResponse(
  { items, total }: PageOf<TaggedSensor>,
  details?: 'full' | 'no',
): TaggedSensorsResponse {
  return { sensors: items.map((sensor) => toTaggedSensorView(sensor, details)), total };
}

function toTaggedSensorView({ sensor, metatags }: TaggedSensor, details?: 'full' | 'no'): TaggedSensorView {
  const { id, name, use_data_storage: _, ...rest } = toSensorView(sensor);
  if (details === 'no') return { id };
  return { id, name, ...(details === 'full' ? rest : {}), metatags: toMetatagsView(metatags) };
}
