import type { SensorService } from '../sensor-services/sensor-service';
import type { AvailableServices } from '../services/virtual-sensors/sensor-services.service';
import type { RunningService } from '../services/virtual-sensors/service-connections.service';

/** A service that can be had. */
export interface AvailableServiceView {
  /** @example "statistics_service" */
  name: string;
  /**
   * The fields of the sensor's values that it can use; `value` is the whole value.
   * @example ["value"]
   */
  data_fields: string[];
}

/** The services for one sensor. */
export interface AvailableServicesResponse {
  available_services: AvailableServiceView[];
}

/** The services for one of several sensors. */
export interface SensorAvailableServicesView {
  /** @example "42" */
  sensor_id: string;
  services: AvailableServiceView[];
}

/** The services for each of the sensors. */
export interface AllAvailableServicesResponse {
  available_services: SensorAvailableServicesView[];
  /**
   * How many sensors all pages hold.
   * @isLong
   * @example 1
   */
  total: number;
}

/** A running service, as one of its sensors meets it. */
export interface RunningServiceView {
  /**
   * The id of the virtual sensor that it writes to, and of the service.
   * @example "43"
   */
  id: string;
  /** @example "statistics_service" */
  name: string;
  /**
   * The fields of the sensor that it uses.
   * @example ["value"]
   */
  data_fields: string[];
}

/** The running services of a sensor. */
export interface RunningServicesResponse {
  services: RunningServiceView[];
  /**
   * The number of all of them, when asked for with `total=1`.
   * @isLong
   * @example 1
   */
  total?: number;
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
   * The names of its parameters; `...` means any number like the last.
   * @example ["size", "unit"]
   */
  parameters: string[];
  /**
   * The type of its return value; empty when it has none.
   * @example ""
   */
  'return value': string;
}

/** The methods of a service. */
export interface ServiceMethodsResponse {
  methods: ServiceMethodView[];
}

/** What a method returns. */
export interface MethodResultResponse {
  /**
   * The value as text; `ok` when the method returns none.
   * @example "ok"
   */
  result: string;
}

export function toAvailableServicesView(available: AvailableServices['services']): AvailableServiceView[] {
  return available.map(({ name, fields }) => ({ name, data_fields: [...fields] }));
}

export function toRunningServiceView({ id, name, fields }: RunningService): RunningServiceView {
  return { id: String(id), name, data_fields: [...fields] };
}

export function toServiceMethodView(method: SensorService['methods'][number]): ServiceMethodView {
  return { name: method.name, parameters: [...method.parameters], 'return value': method.returns };
}
