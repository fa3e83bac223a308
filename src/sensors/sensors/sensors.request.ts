import type { ZonedCsvQuery } from '../../edge/csv-query';
import { readId } from '../../edge/id';
import type { Details, PageQuery } from '../../edge/paging';
import { toColumns } from '../../edge/renaming';
import type { UnitsByField } from '../../edge/units';
import type { NamedUser } from '../../people';
import { InvalidInput } from '../../platform/errors';
import { withoutUndefined } from '../../platform/without-undefined';

/** @maxLength 255 */
export type SensorText = string;

/** JSON text or an object, read by `readDataStructure`; documented in src/api/openapi/free-schemas.ts. */
export type DataStructure = unknown;

/**
 * The optional fields of a sensor.
 */
export interface SensorFields {
  /**
   * @maxLength 255
   * @example "greenhouse"
   */
  name?: string;
  /** @example "Greenhouse, south wall" */
  display_name?: SensorText;
  /** @example "BME280" */
  device_type?: SensorText;
  /**
   * A whole number as a string.
   * @pattern ^[0-9]{1,10}$ must be decimal digits
   * @example "4"
   */
  data_type_id?: string;
  /** @example "none" */
  pager_type?: SensorText;
  /**
   * The kind of values. With `string`, values are never read as numbers.
   * @example "json"
   */
  data_type?: SensorText;
  /**
   * JSON text that maps the field names of a value to their types, or that object itself.
   * @example { "lux": "integer", "celsius": "float" }
   */
  data_structure?: DataStructure;
  /**
   * The unit of plain values. `null` removes it.
   * @maxLength 32
   * @example "°C"
   */
  unit?: string | null;
  /**
   * The units of the fields of JSON values, by their names; nested fields by their paths. `{}` removes them.
   * @example { "celsius": "°C", "lux": "lx" }
   */
  field_units?: UnitsByField;
  /**
   * Seconds without data after which its state is `silent`. `null`: learned from its data, as three times the usual
   * distance of its points, at least a minute; a day while it has fewer than three.
   * @isInt
   * @minimum 1
   * @maximum 315576000
   * @example 300
   */
  expected_interval?: number | null;
  /**
   * `false`: values are evaluated by triggers and services, but not stored.
   * @example true
   */
  use_data_storage?: boolean;
}

/** A new sensor. */
export interface NewSensorFields extends SensorFields {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "greenhouse"
   */
  name: string;
}

export interface CreateSensorRequest {
  sensor: NewSensorFields;
}

export interface UpdateSensorRequest {
  sensor: SensorFields;
}

/** The pages and details of a list of sensors. */
export interface SensorPageQuery extends PageQuery {
  /**
   * `full` adds device, environment and owner; `no` leaves only the ids.
   * @example "full"
   */
  details?: Details;
}

/** The filters and details of a list of sensors. */
export interface SensorListQuery extends SensorPageQuery, ZonedCsvQuery {
  /**
   * `true`: only your own; `false`: only sensors of others.
   * @example true
   */
  owned?: boolean;
  /**
   * `true`: only your own that are shared with users, who are listed in `users`.
   * @example false
   */
  shared?: boolean;
  /**
   * `true`: only sensors on a device, with `device_device_type` and `device_device_uuid` unless `owned` is given.
   * @example false
   */
  physical?: boolean;
  /**
   * Only sensors that are shared into this group.
   * @example "9"
   */
  group_id?: string;
}

const MAX_STRUCTURE_LENGTH = 10_000;

/** Reads the given fields of a sensor. */
export function readSensorInput({ data_structure, unit, field_units, ...fields }: SensorFields) {
  return withoutUndefined({
    ...toColumns(fields, ['name', 'displayName', 'deviceType', 'dataTypeId', 'pagerType', 'dataType']),
    ...toColumns(fields, ['expectedInterval', 'useDataStorage']),
    dataStructure: readDataStructure(data_structure),
    unit: unit === null ? '' : unit?.trim(),
    fieldUnits: readUnits(field_units),
  });
}

/**
 * Reads the filters of a list, and whether the devices are requested. `shared` and `physical` can only narrow the list:
 * 0 is no filter.
 */
export function readSensorFilter({ owned, shared = false, physical = false, group_id }: SensorListQuery) {
  const groupId = group_id === undefined ? undefined : readId(group_id, 'group');
  return { filter: { owned, shared, physical, groupId }, withDevice: physical && owned === undefined };
}

function readDataStructure(given: unknown): string | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  if (typeof given !== 'string' && typeof given !== 'object') throw structureError('must be JSON text or an object');
  const text = typeof given === 'string' ? given : toJson(given);
  if (text.length > MAX_STRUCTURE_LENGTH) throw structureError(`is longer than ${MAX_STRUCTURE_LENGTH} characters`);
  try {
    JSON.parse(text);
  } catch {
    throw structureError('is not valid JSON');
  }
  return text;
}

const MAX_UNITS = 100;
const MAX_UNIT_LENGTH = 32;

/** The units of fields in their stored form. */
function readUnits(given: UnitsByField | undefined): string | null | undefined {
  if (given === undefined) return undefined;
  const units = Object.entries(given).map(([field, unit]) => [field, unit.trim()] as const);
  if (units.length > MAX_UNITS) throw InvalidInput.field('sensor.field_units', `has more than ${MAX_UNITS} fields`);
  for (const [field, unit] of units) {
    const path = `sensor.field_units.${field.slice(0, 50)}`;
    if (field.length > 255) throw InvalidInput.field(path, 'has a name of more than 255 characters');
    if ([...unit].length > MAX_UNIT_LENGTH) throw InvalidInput.field(path, 'is longer than 32 characters');
  }
  const set = units.filter(([, unit]) => unit !== '');
  return set.length === 0 ? null : JSON.stringify(Object.fromEntries(set));
}

function toJson(structure: object): string {
  try {
    return JSON.stringify(structure);
  } catch {
    throw structureError('is nested too deeply');
  }
}

function structureError(why: string): InvalidInput {
  return InvalidInput.field('sensor.data_structure', why);
}

/** How long the data points of a sensor are kept. */
export interface RetentionFields {
  /**
   * Whole days after the date of a point.
   * @isInt
   * @minimum 1
   * @maximum 36500
   * @example 30
   */
  days: number;
}

export interface SetRetentionRequest {
  retention: RetentionFields;
}

/** Shares a sensor with a user. */
export interface ShareSensorRequest {
  user: NamedUser;
}
