import type { PageTotal } from '../../edge/paging';
import type { SensorService } from '../../points';
import type { AvailableServices } from './sensor-services.service';
import type { ServiceName } from './service-connection';
import type { RunningService } from './service-connections.service';

/** An available service. */
export interface AvailableServiceView {
  /** @example "statistics_service" */
  name: ServiceName;
  /**
   * The fields of the sensor's values that it can use; `value` is the whole value.
   * @example ["value"]
   */
  data_fields: string[];
}

/** The services that are available for a sensor. */
export interface AvailableServicesResponse {
  available_services: AvailableServiceView[];
  /** The same list again, under the name that an older client reads. */
  services: AvailableServiceView[];
}

/** The services that are available for one of several sensors. */
export interface SensorAvailableServicesView {
  /** @example "42" */
  sensor_id: string;
  services: AvailableServiceView[];
}

/** The services that are available for each of the sensors. */
export interface AllAvailableServicesResponse {
  available_services: SensorAvailableServicesView[];
  /**
   * The number of sensors on all pages.
   * @isLong
   * @example 1
   */
  total: number;
}

/** A running service, as used by one of its sensors. */
export interface RunningServiceView {
  /**
   * The id of the service, and of the virtual sensor that it writes to.
   * @example "43"
   */
  id: string;
  /** @example "statistics_service" */
  name: ServiceName;
  /**
   * The fields of the sensor that it uses.
   * @example ["value"]
   */
  data_fields: string[];
  /**
   * In lists: why the service could not compute the latest data points. Absent if it could.
   * @example "\"avg_over_time\" needs 1 or more numbers within 600 seconds, and has 0"
   */
  last_error?: string;
}

/** The running services of a sensor. */
export interface RunningServicesResponse extends PageTotal {
  services: RunningServiceView[];
}

/** The service that the sensor is connected to. */
export interface RunningServiceResponse {
  service: RunningServiceView;
}

/** A method of a service. */
export interface ServiceMethodView {
  /** @example "SetWindow" */
  name: string;
  /**
   * The names of its parameters; `...` means any number of the last one.
   * @example ["size", "unit"]
   */
  parameters: string[];
  /**
   * The type of its return value; empty if it has none.
   * @example ""
   */
  'return value': string;
}

/** The methods of a service. */
export interface ServiceMethodsResponse {
  methods: ServiceMethodView[];
}

/** The return value of a method. */
export interface MethodResultResponse {
  /**
   * The value as a string; `ok` if the method returns none.
   * @example "ok"
   */
  result: string;
}

export function toAvailableServicesView(available: AvailableServices['services']): AvailableServiceView[] {
  return available.map(({ name, fields }) => ({ name, data_fields: [...fields] }));
}

export function toRunningServiceView({ id, name, fields, lastError }: RunningService): RunningServiceView {
  const service = { id: String(id), name, data_fields: [...fields] };
  return lastError === null ? service : { ...service, last_error: lastError };
}

export function toServiceMethodView(method: SensorService['methods'][number]): ServiceMethodView {
  return { name: method.name, parameters: [...method.parameters], 'return value': method.returns };
}

/** The response to a time range to learn. */
export interface LearnResponse {
  /** @example "ok" */
  result: 'ok';
  /**
   * The number of learnt data points; for a range that is learnt later, the number of its data points.
   * @isLong
   * @example 1200
   */
  points: number;
}
