import type { DataPoint, SensorDataPoint } from '../rules/data-point';
/** Data that survives JSON: what a service remembers, and how it is set. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A sensor that feeds a service, and the fields of its values that are used; none means the value as it is. */
export interface ServiceInput {
  readonly sensorId: number;
  readonly sensorName: string;
  readonly dataType: string;
  readonly fields: readonly string[];
}

/** The long ranges that wait to be learnt: how many, under which labels, their points, and how many of these were read. */
export interface LearningProgress {
  readonly labels: readonly string[];
  readonly waiting: number;
  readonly points: number;
  readonly read: number;
  /** Why the last one that came to its end was not learnt; null when it was. */
  readonly error: string | null;
}

/** What a service is at one moment. `model` is what it has learnt, as the kind wrote it. */
export interface ServiceState<Settings, Memory> {
  readonly inputs: readonly ServiceInput[];
  readonly settings: Settings;
  readonly memory: Memory;
  readonly model: string | null;
  /** Only passed to methods. */
  readonly learning?: LearningProgress;
}

/** The result of some points. `error` is the reason why the last one had no result; null when it had. */
export interface Computed<Memory> {
  readonly outputs: readonly DataPoint[];
  readonly memory: Memory;
  readonly error: string | null;
}

/**
 * What a set method changes, or why it does not. `result` is its return value, `ok` when it has none; the examples of
 * `forgetLabel` are removed from what was learnt.
 */
export type MethodOutcome<Settings> =
  | { readonly settings: Settings; readonly result?: string; readonly forgetLabel?: string }
  | { readonly refused: string };

interface MethodText {
  readonly name: string;
  /** The names of its parameters; `...` at the end means that there may be more like the last. */
  readonly parameters: readonly string[];
  /** The type of its return value; empty when it has none. */
  readonly returns: string;
}

/** Reads something: `GET /sensors/{id}/services/{service_id}/{method}`. */
export interface GetMethod<Settings, Memory> extends MethodText {
  readonly get: (state: ServiceState<Settings, Memory>) => string;
}

/** Sets something: `POST` on the same path. */
export interface SetMethod<Settings, Memory> extends MethodText {
  readonly set: (state: ServiceState<Settings, Memory>, parameters: readonly string[]) => MethodOutcome<Settings>;
}

/** A sensor, as far as it matters to which services it may feed. */
export interface SensorShape {
  readonly dataType: string;
  /** JSON text that maps field names to field types; empty when there is none. */
  readonly dataStructure: string;
}

/**
 * One service of the catalogue. Everything in it is pure: the points of a pass and what is remembered go in, the points
 * of the virtual sensor and what is to be remembered come out, in the same transaction.
 */
export interface SensorServiceDefinition<Settings extends Json, Memory extends Json> {
  readonly name: string;
  readonly description: string;
  /** What the virtual sensor's values are. */
  readonly output: { readonly dataType: string; readonly dataStructure: string };
  /** The fields of a sensor's values that the service can use, `value` for a plain one; none: it cannot use the sensor. */
  usableFields(sensor: SensorShape): readonly string[];
  readonly settings: Settings;
  readonly memory: Memory;
  readonly methods: readonly (GetMethod<Settings, Memory> | SetMethod<Settings, Memory>)[];
  /** Points come in order of their dates, from all inputs. */
  compute(state: ServiceState<Settings, Memory>, points: readonly SensorDataPoint[], nowMs: number): Computed<Memory>;
  /** Whether labelled ranges can be learnt with manualLearn. */
  readonly learns?: boolean;
}

/** A service whose settings and memory are opaque to others. */
export type SensorService = SensorServiceDefinition<Json, Json>;

/** Hides the types of a service's settings and memory, so that all services fit into one catalogue. */
export function sensorService<Settings extends Json, Memory extends Json>(
  definition: SensorServiceDefinition<Settings, Memory>,
): SensorService {
  return definition as unknown as SensorService; // what is stored for a service was only ever written by itself
}

export function isGetMethod(method: SensorService['methods'][number]): method is GetMethod<Json, Json> {
  return 'get' in method;
}
