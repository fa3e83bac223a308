import { readId } from './id';
import { readListOrSingle } from './list-or-single';
import type { Details, PageQuery } from './paging';

/** Names a sensor. */
export interface GroupSensorReference {
  /**
   * @maxLength 20
   * @example "42"
   */
  id: string;
}

/** The sensors to share into a group: a list, or a single `sensor`. */
export interface AddGroupSensorsRequest {
  sensors?: GroupSensorReference[];
  sensor?: GroupSensorReference;
}

/** Which sensors of a group to list, and what of them. */
export interface GroupSensorListQuery extends PageQuery {
  /**
   * 1: only your own; 0: only those of others.
   * @example true
   */
  owned?: boolean;
  /**
   * 1: only sensors on a device, with `device_device_type` and `device_device_uuid` unless `owned` is used.
   * @example false
   */
  physical?: boolean;
  /**
   * `no`: only ids; `full`: with device, environment and owner.
   * @example "full"
   */
  details?: Details;
}

/** Each named sensor, and where it is named; at least one is required. */
export function readGroupSensors({ sensors, sensor }: AddGroupSensorsRequest) {
  const named = readListOrSingle({ name: 'sensors', items: sensors }, { name: 'sensor', item: sensor });
  return named.map(({ item, path }) => ({ id: readId(item.id, `sensor ${item.id}`), path: `${path}.id` }));
}

/** The filter of a list, and whether the devices are wanted. `physical` only ever narrows the list: 0 is no filter. */
export function readGroupSensorFilter({ owned, physical = false }: GroupSensorListQuery) {
  return { filter: { owned, physical }, withDevice: physical && owned === undefined };
}
