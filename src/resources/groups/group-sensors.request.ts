import { readId } from '../formats/id';
import { readListOrSingle } from '../formats/list-or-single';
import type { Details, PageQuery } from '../formats/paging';

/** Refers to a sensor by its id. */
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

/** The filters and details of a list of sensors of a group. */
export interface GroupSensorListQuery extends PageQuery {
  /**
   * `true`: only your own; `false`: only sensors of others.
   * @example true
   */
  owned?: boolean;
  /**
   * `true`: only sensors on a device, with `device_device_type` and `device_device_uuid` unless `owned` is given.
   * @example false
   */
  physical?: boolean;
  /**
   * `full` adds device, environment and owner; `no` leaves only the ids.
   * @example "full"
   */
  details?: Details;
}

/** Reads the named sensors with their paths; at least one is required. */
export function readGroupSensors({ sensors, sensor }: AddGroupSensorsRequest) {
  const named = readListOrSingle({ name: 'sensors', items: sensors }, { name: 'sensor', item: sensor });
  return named.map(({ item, path }) => ({ id: readId(item.id, `sensor ${item.id}`), path: `${path}.id` }));
}

/**
 * Reads the filter of a list, and whether the devices are requested. `physical` can only narrow the list: 0 is no
 * filter.
 */
export function readGroupSensorFilter({ owned, physical = false }: GroupSensorListQuery) {
  return { filter: { owned, physical }, withDevice: physical && owned === undefined };
}
