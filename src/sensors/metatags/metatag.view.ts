import type { Metatags, MetatagValue } from '../../access/metatags';
import type { SensorState } from '../../alerts';
import type { PageOf, PageTotal } from '../../edge/paging';
import type { UnitsByField } from '../../edge/units';
import { type SensorOwnerView, type SensorType, toOwnedSensorView } from '../sensors/sensor.view';
import type { TaggedSensor } from './metatag-search';
import type { MetatagsByNamespace } from './metatags.service';

/** For each name of a metatag the list of its values. */
export interface MetatagsView {
  [name: string]: readonly MetatagValue[];
}

/** For each namespace the metatags in it. */
export interface OtherMetatagsView {
  [namespace: string]: MetatagsView;
}

/** The metatags of a sensor in a namespace. */
export interface MetatagsResponse {
  /** @example {"room": ["kitchen"], "floor": [1, 2]} */
  metatags: MetatagsView;
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
  type?: SensorType;
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
  /** @example "°C" */
  unit?: string;
  /** @example { "celsius": "°C" } */
  field_units?: UnitsByField;
  /**
   * Seconds without data after which its state is `silent`; `null`: learned from its data.
   * @isInt
   * @example 300
   */
  expected_interval?: number | null;
  /**
   * What it does now; only with `details=full`, and not in lists of a group.
   * @example "ok"
   */
  state?: SensorState;
  /**
   * Since when it is in this state, in unix seconds; `null` if unknown.
   * @example 1795229544.8
   */
  state_since?: number | null;
  /**
   * Absent with `details=no`.
   * @example {"room": ["kitchen"]}
   */
  metatags?: MetatagsView;
  /**
   * The metatags in all other namespaces; only with `all_namespaces=true`.
   * @example {"influx": {"device": ["tasmota_A1B2C3"]}}
   */
  other_metatags?: OtherMetatagsView;
  /** The owner of another user's sensor; only with `details=full`, and not in lists of a group. */
  owner?: SensorOwnerView;
}

/** The response with a page of sensors with their metatags. */
export interface TaggedSensorsResponse extends PageTotal {
  sensors: TaggedSensorView[];
}

/** The distinct values of a metatag. */
export interface DistinctValuesResponse extends PageTotal {
  /**
   * Ordered: numbers first, then strings.
   * @example ["kitchen"]
   */
  distinct_values: readonly MetatagValue[];
}

/** An object without a prototype: a name may equal a property of `Object.prototype`. */
export function toMetatagsView(metatags: Metatags): MetatagsView {
  const view: MetatagsView = Object.create(null);
  for (const [name, values] of metatags) view[name] = values;
  return view;
}

export function toTaggedSensorsResponse(
  { items, total }: PageOf<TaggedSensor>,
  details?: 'full' | 'no',
): TaggedSensorsResponse {
  return { sensors: items.map((sensor) => toTaggedSensorView(sensor, details)), total };
}

function toOthersView(others: MetatagsByNamespace): OtherMetatagsView {
  const view: OtherMetatagsView = Object.create(null);
  for (const [namespace, metatags] of others) view[namespace] = toMetatagsView(metatags);
  return view;
}

function toTaggedSensorView({ metatags, others, ...owned }: TaggedSensor, details?: 'full' | 'no'): TaggedSensorView {
  const { id, name, use_data_storage: _, ...rest } = toOwnedSensorView(owned);
  if (details === 'no') return { id };
  return {
    id,
    name,
    ...(details === 'full' ? rest : {}),
    metatags: toMetatagsView(metatags),
    ...(others && { other_metatags: toOthersView(others) }),
  };
}
