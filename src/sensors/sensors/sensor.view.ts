import type { ShownUser } from '../../access/shown-users';
import type { SensorState, StateNow } from '../../alerts';
import { toUnixSecondsOrNull } from '../../edge/dates';
import type { PageOf, PageTotal } from '../../edge/paging';
import { toFields } from '../../edge/renaming';
import type { UnitsByField } from '../../edge/units';
import { readFieldUnits } from '../../language/measured-value';
import { type PublicUserView, toPublicUserView } from '../../people';
import type { Device } from '../../storage/models/device.model';
import type { Environment } from '../../storage/models/environment.model';
import type { Sensor } from '../../storage/models/sensor.model';
import { type DeviceView, toDeviceView } from '../devices/device.view';
import { type EnvironmentView, toEnvironmentView } from '../environments/environment.view';
import type { ShownOwner } from './sensor-owners';
import type { SensorRetention } from './sensor-retention.service';

/** `0` plain, `1` physical (attached to a device), `2` virtual (uses other sensors). */
export type SensorType = '0' | '1' | '2';

/** A sensor. */
export interface SensorView {
  /** @example "42" */
  id: string;
  /** @example "greenhouse" */
  name: string;
  /** @example "Greenhouse, south wall" */
  display_name: string;
  /** @example "0" */
  type: SensorType;
  /** @example "BME280" */
  device_type: string;
  /** @example "4" */
  data_type_id: string;
  /** @example "none" */
  pager_type: string;
  /** @example "json" */
  data_type: string;
  /**
   * JSON text that maps field names to field types; empty if not set.
   * @example "{\"lux\":\"integer\",\"celsius\":\"float\"}"
   */
  data_structure: string;
  /**
   * The unit of plain values; empty if not set. For booleans it may be the words for false and true, such as
   * `closed/open`.
   * @example "°C"
   */
  unit: string;
  /**
   * The units of the fields of JSON values, by their names; nested fields by their paths.
   * @example { "celsius": "°C", "lux": "lx" }
   */
  field_units: UnitsByField;
  /**
   * Seconds without data after which its state is `silent`; `null`: learned from its data.
   * @isInt
   * @example 300
   */
  expected_interval: number | null;
  /** @example true */
  use_data_storage: boolean;
}

/** The owner of a sensor. Hidden details are `""`; an owner who shared it with you shows their id and username. */
export interface SensorOwnerView {
  /** @example "2" */
  id: string;
  /** @example "grace" */
  username: string;
  /** @example "Grace" */
  name: string;
  /** @example "Hopper" */
  surname: string;
  /** @example "grace@example.org" */
  email: string;
}

/** A sensor with its owner. */
export interface OwnedSensorView extends SensorView {
  /**
   * What it does now, by your own triggers: `firing`; `silent` without data for longer than expected; `pending`; `ok`;
   * `none` without a trigger. In the record of one sensor, in lists of sensors, and in searches with `details=full`.
   * @example "ok"
   */
  state?: SensorState;
  /**
   * Next to `state`: since when, in unix seconds; of `silent` the date of its latest data point. `null` if unknown.
   * @example 1795229544.8
   */
  state_since?: number | null;
  /** Only for sensors of others. */
  owner?: SensorOwnerView;
}

/** A sensor in a list. */
export interface ListedSensorView extends OwnedSensorView {
  /** The users that the sensor is shared with; only with `shared=1`, and never for keys that are limited to sensors. */
  users?: PublicUserView[];
  /** The device that the sensor is on, if any; only with `details=full`. */
  device?: DeviceView;
  /** The environment that the sensor is in, if any; only with `details=full`. */
  environment?: EnvironmentView;
  /**
   * The type of its device: only with `physical=1` and without `owned`.
   * @example "weather station"
   */
  device_device_type?: string;
  /**
   * The uuid of its device: only with `physical=1` and without `owned`.
   * @example "00:1b:44:11:3a:b7"
   */
  device_device_uuid?: string;
}

/** A sensor in a list with `details=no`. */
export interface SensorIdView {
  /** @example "42" */
  id: string;
}

/** The response with one sensor. */
export interface SensorResponse {
  sensor: OwnedSensorView;
}

/** The response with a page of sensors. */
export interface SensorsResponse {
  sensors: (ListedSensorView | SensorIdView)[];
  /**
   * The number of sensors on all pages.
   * @isLong
   * @example 1
   */
  total: number;
}

/** The response with a page of sensors. */
export interface SensorPageResponse extends PageTotal {
  sensors: (ListedSensorView | SensorIdView)[];
}

/** The surroundings of a sensor. */
export interface Surroundings {
  device: Device | null;
  environment: Environment | null;
}

export function toSensorView(sensor: Sensor): SensorView {
  return {
    id: String(sensor.id),
    ...toFields(sensor, ['name', 'displayName', 'deviceType', 'pagerType', 'dataType', 'dataStructure', 'unit']),
    type: String(sensor.type) as SensorType, // the column holds nothing else
    data_type_id: sensor.dataTypeId === '' ? '0' : sensor.dataTypeId,
    field_units: readFieldUnits(sensor.fieldUnits),
    expected_interval: sensor.expectedInterval ?? null,
    use_data_storage: Boolean(sensor.useDataStorage),
  };
}

/** A sensor with its owner, if that is another user, and its state, if requested. */
interface OwnedSensor {
  sensor: Sensor;
  owner?: ShownOwner;
  now?: StateNow;
}

/** The record of a sensor, with its owner if that is another user. */
export function toOwnedSensorView({ sensor, owner, now }: OwnedSensor): OwnedSensorView {
  return {
    ...toSensorView(sensor),
    ...(now && { state: now.state, state_since: toUnixSecondsOrNull(now.sinceMs) }),
    ...(owner && { owner: toSensorOwnerView(owner) }),
  };
}

/** A sensor of a list, with the requested details; `withDevice` adds the type and uuid of its device. */
export function toListedSensorView(
  listed: OwnedSensor & { users?: ShownUser[]; details?: Surroundings },
  { details, withDevice = false }: { details?: 'full' | 'no'; withDevice?: boolean },
): ListedSensorView | SensorIdView {
  if (details === 'no') return { id: String(listed.sensor.id) };
  const { device, environment } = listed.details ?? {};
  return {
    ...toOwnedSensorView(listed),
    ...(details === 'full' && device && { device: toDeviceView(device) }),
    ...(details === 'full' && environment && { environment: toEnvironmentView(environment) }),
    ...(withDevice && device && { device_device_type: device.type, device_device_uuid: device.uuid }),
    ...(listed.users && { users: listed.users.map(toPublicUserView) }),
  };
}

/** A page of sensors, with the requested details. */
export function toSensorPageResponse(
  { items, total }: PageOf<Parameters<typeof toListedSensorView>[0]>,
  details?: 'full' | 'no',
): SensorPageResponse {
  return { sensors: items.map((listed) => toListedSensorView(listed, { details })), total };
}

function toSensorOwnerView({ id, username, name, surname, email }: ShownOwner): SensorOwnerView {
  return { id: id === undefined ? '' : String(id), username, name, surname, email };
}

/** The retention of a sensor's data points, in days after their dates. */
export interface RetentionView {
  /**
   * The owner's setting; null if there is none.
   * @isInt
   * @example 30
   */
  days: number | null;
  /**
   * The effective retention: at most the retention of the platform. Null is unlimited.
   * @isInt
   * @example 30
   */
  effective_days: number | null;
}

/** The response with the retention of a sensor. */
export interface RetentionResponse {
  retention: RetentionView;
}

export function toRetentionResponse({ days, effectiveDays }: SensorRetention): RetentionResponse {
  return { retention: { days, effective_days: effectiveDays } };
}
