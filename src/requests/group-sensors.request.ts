import { InvalidInput } from '../errors';
import { readId } from './id';
import type { PageQuery } from './paging';

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
  details?: 'full' | 'no';
}

/** Each named sensor, and where it is named; at least one is needed. */
export function readGroupSensors({ sensors = [], sensor }: AddGroupSensorsRequest) {
  const named = [
    ...sensors.map(({ id }, index) => ({ id, path: `sensors[${index}].id` })),
    ...(sensor ? [{ id: sensor.id, path: 'sensor.id' }] : []),
  ];
  if (named.length === 0) throw InvalidInput.field('sensors', 'is needed');
  return named.map(({ id, path }) => ({ id: readId(id, `sensor ${id}`), path }));
}

/** The filters of a list. `physical` only ever narrows it: 0 is no filter. */
export function readGroupSensorFilter({ owned, physical }: GroupSensorListQuery) {
  return { owned, physical: physical === true };
}
