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

export type SensorProperty = (typeof SENSOR_PROPERTIES)[number];

export interface Statement<Name extends string = string> {
  name: Name;
  keys: readonly string[] | 'any';
}

export const COMPARISONS = ['<', '<=', '>', '>='] as const;

export interface NumberStatement {
  name: string;
  comparison: (typeof COMPARISONS)[number];
  number: number;
}

/** In each list at least one must hold. */
export interface MetatagFilter {
  metatags: (Statement | NumberStatement)[][];
  properties: Statement<SensorProperty>[][];
}
