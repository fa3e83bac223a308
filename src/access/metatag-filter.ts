export const SENSOR_PROPERTIES = [
  'id',
  'name',
  'type',
  'device_type',
  'data_type_id',
  'pager_type',
  'display_name',
  'use_data_storage',
] as const;

/** The properties of sensors that a search can compare. */
export type SensorProperty = (typeof SENSOR_PROPERTIES)[number];

export interface Statement<Name extends string = string> {
  name: Name;
  keys: readonly string[] | 'any';
}

/** Lists of statements: in each list at least one must hold. */
export interface MetatagFilter {
  metatags: Statement[][];
  properties: Statement<SensorProperty>[][];
}
