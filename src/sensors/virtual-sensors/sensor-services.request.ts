import type { SelectorInput } from '../../alerts';
import { type DateInput, readPointDate } from '../../edge/dates';
import { readId } from '../../edge/id';
import type { LabelledRange } from '../../edge/time-range';
import { InvalidInput } from '../../platform/errors';
import type { GivenFleet } from '../fleets/fleet-settings';
import type { ServiceConnection, ServiceName } from './service-connection';

/**
 * The service, and the fields of the sensor that it uses.
 * @example {"id": "0", "name": "statistics_service", "data_fields": ["value"]}
 */
export interface ServiceFields {
  /**
   * The id of a running service of yours. Empty or 0 starts a new one.
   * @maxLength 20
   * @example "0"
   */
  id?: string;
  /**
   * The name of a service, as listed in `available_services`. Required for a new one.
   * @example "statistics_service"
   */
  name?: ServiceName;
  /**
   * The fields of the sensor's values to use; all possible ones if not given.
   * @maxItems 1000
   * @example ["value"]
   */
  data_fields?: string[];
  /** For a new `fleet_service`: what `SetFilter` sets, as an object. The sensor is the first member, and stays if it matches. */
  filter?: SelectorInput;
  /**
   * For a new `fleet_service`: what `SetSilentAfter` sets, in seconds.
   * @isInt
   * @minimum 0
   * @maximum 31622400
   * @example 3600
   */
  silent_after?: number;
  /**
   * For a new `fleet_service`: what `SetTrigger` sets. Empty or 0 for none.
   * @maxLength 20
   * @example "0"
   */
  trigger_id?: string;
}

/** The names of the virtual sensor of a new service. */
export interface VirtualSensorFields {
  /**
   * @maxLength 255
   * @example "mean temperature"
   */
  name?: string;
  /**
   * @maxLength 255
   * @example "statistics"
   */
  device_type?: string;
}

/** Connects a sensor to a service. */
export interface ConnectServiceRequest {
  service: ServiceFields;
  sensor?: VirtualSensorFields;
}

/** The parameters of a set method, in order. */
export interface RunMethodRequest {
  /**
   * @maxItems 1000
   * @example ["60", "seconds"]
   */
  parameters?: string[];
}

const MAX_PARAMETER_LENGTH = 10_000;
const MAX_FIELD_LENGTH = 255;
/** The limit of the column, which holds them as JSON. */
const MAX_FIELDS_BYTES = 65_535;

/** Reads a connection: to a running service, or to a new one with the names of its virtual sensor. */
export function readConnection({ service, sensor }: ConnectServiceRequest): ServiceConnection {
  const { id = '', name, data_fields: fields } = service;
  const serviceId = idOrNone(id, 'service');
  if (serviceId === undefined && name === undefined) {
    throw InvalidInput.field('service.name', 'is required for a new service');
  }
  checkFields(fields ?? []);
  const fleet = readFleet(service);
  return { serviceId, name, fields, fleet, virtual: { name: sensor?.name, deviceType: sensor?.device_type } };
}

function readFleet({ filter, silent_after, trigger_id }: ServiceFields): GivenFleet | undefined {
  const given = Object.entries({ filter, silent_after, trigger_id });
  const [first] = given.find(([, value]) => value !== undefined) ?? [];
  if (first === undefined) return undefined;
  const triggerId = trigger_id === undefined ? undefined : (idOrNone(trigger_id, 'trigger') ?? 0);
  return { path: `service.${first}`, filter, inactiveAfter: silent_after, triggerId };
}

/** Undefined if empty or 0. */
function idOrNone(text: string, what: string): number | undefined {
  return /^0*$/.test(text) ? undefined : readId(text, what);
}

function checkFields(fields: string[]): void {
  fields.forEach((field, index) => {
    if (field.length > MAX_FIELD_LENGTH) {
      throw InvalidInput.field(`service.data_fields[${index}]`, `is longer than ${MAX_FIELD_LENGTH} characters`);
    }
  });
  if (Buffer.byteLength(JSON.stringify(fields)) > MAX_FIELDS_BYTES) {
    throw InvalidInput.field('service.data_fields', `are longer than ${MAX_FIELDS_BYTES} bytes altogether`);
  }
}

/** The parameters, with their lengths checked. */
export function readParameters({ parameters = [] }: RunMethodRequest): string[] {
  parameters.forEach((parameter, index) => {
    if (parameter.length > MAX_PARAMETER_LENGTH) {
      throw InvalidInput.field(`parameters[${index}]`, `is longer than ${MAX_PARAMETER_LENGTH} characters`);
    }
  });
  return parameters;
}

/** Refers to the sensor to use. */
export interface UsedSensor {
  /**
   * The id of a sensor that you can see.
   * @maxLength 20
   * @example "41"
   */
  id: string;
}

/** Connects a sensor to a virtual sensor. */
export interface ConnectSensorRequest {
  sensor: UsedSensor;
}

const MAX_LABEL = 255;

/** A time range and the label of its state. */
export interface ManualLearnRequest {
  /**
   * Unix seconds: the start of the range, inclusive.
   * @example 1795229500
   */
  start_date: DateInput;
  /**
   * Unix seconds: the end of the range, inclusive.
   * @example 1795229560
   */
  end_date: DateInput;
  /**
   * The label of the state, 1 to 255 characters.
   * @example "walking"
   */
  class_label: string;
}

/** Reads the range and its label. Spaces around a label are removed. */
export function readLabelledRange({ start_date, end_date, class_label }: ManualLearnRequest): LabelledRange {
  const startMs = readPointDate(start_date, 'start_date');
  const endMs = readPointDate(end_date, 'end_date');
  if (endMs < startMs) throw InvalidInput.field('end_date', 'must not be before start_date');
  const label = class_label.trim();
  if (label === '') throw InvalidInput.field('class_label', 'must not be empty');
  if ([...label].length > MAX_LABEL) throw InvalidInput.field('class_label', `is longer than ${MAX_LABEL} characters`);
  return { startMs, endMs, label };
}
