import type { CompiledWindow } from '../../language/compiled-expression';
import type { PointWindows } from '../../language/windows/sensor-windows';
import type { RetentionDays } from '../../platform/retention';
import type { DataPoint, SensorDataPoint } from '../data-points/data-point';

/** Data that survives JSON: the settings and the memory of a service. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A sensor that feeds a service, and the used fields of its values; none means the whole value. */
export interface ServiceInput {
  readonly sensorId: number;
  readonly sensorName: string;
  readonly dataType: string;
  readonly fields: readonly string[];
  /** For how many days the sensor keeps its points: 0 if it stores none, null or absent if all. */
  readonly keptDays?: RetentionDays;
}

/** The windows over stored points that a service needs, by the sensor of the points. */
export interface NeededWindows {
  readonly bySensor: ReadonlyMap<number, readonly CompiledWindow[]>;
  /** The dates at which they end, in order. */
  readonly dates: readonly number[];
}

/** The training jobs of long ranges: their number, labels and points, and the number of points read so far. */
export interface LearningProgress {
  /** Of pending ranges, and of stored examples, which the model may not have yet. */
  readonly labels: readonly string[];
  readonly waiting: number;
  readonly points: number;
  readonly read: number;
  /** Why the last finished one was not learnt; null if it was. */
  readonly error: string | null;
}

/** The state of a service. `model` is the learnt model, as the kind wrote it. */
export interface ServiceState<Settings, Memory> {
  readonly inputs: readonly ServiceInput[];
  readonly settings: Settings;
  readonly memory: Memory;
  readonly model: string | null;
  /** Passed to methods only. */
  readonly learning?: LearningProgress;
}

/** The result of some points. `error` is the reason why the last one had no result; null if it had one. */
export interface Computed<Memory> {
  readonly outputs: readonly DataPoint[];
  readonly memory: Memory;
  readonly error: string | null;
}

/**
 * The changes of a set method, or the reason for none. `result` is its return value, `ok` by default; the examples of
 * `forgetLabel` are removed from the training data.
 */
export type MethodOutcome<Settings> =
  | { readonly settings: Settings; readonly result?: string; readonly forgetLabel?: string }
  | { readonly refused: string };

interface MethodText {
  readonly name: string;
  /** The names of its parameters; `...` at the end means that more like the last may follow. */
  readonly parameters: readonly string[];
  /** The type of its return value; empty if it has none. */
  readonly returns: string;
}

/** A method that reads: `GET /sensors/{id}/services/{service_id}/{method}`. */
export interface GetMethod<Settings, Memory> extends MethodText {
  readonly get: (state: ServiceState<Settings, Memory>) => string;
}

/** A method that changes: `POST` on the same path. */
export interface SetMethod<Settings, Memory> extends MethodText {
  readonly set: (state: ServiceState<Settings, Memory>, parameters: readonly string[]) => MethodOutcome<Settings>;
}

/** The properties of a sensor that decide which services it may feed. */
export interface SensorShape {
  readonly dataType: string;
  /** JSON text that maps field names to field types; empty if there is none. */
  readonly dataStructure: string;
}

/**
 * One service of the catalogue. All its functions are pure: they take the points of a pass and the memory of the
 * service, and return the points of the virtual sensor and the new memory, which are stored in the same transaction.
 */
export interface SensorServiceDefinition<Settings extends Json, Memory extends Json> {
  readonly name: string;
  readonly description: string;
  /** The type of the virtual sensor's values. */
  readonly output: { readonly dataType: string; readonly dataStructure: string };
  /**
   * The fields of a sensor's values that the service can use, `value` for a plain one. Empty if it cannot use the
   * sensor.
   */
  usableFields(sensor: SensorShape): readonly string[];
  readonly settings: Settings;
  readonly memory: Memory;
  readonly methods: readonly (GetMethod<Settings, Memory> | SetMethod<Settings, Memory>)[];
  /** Points come from all inputs, in order of their dates. */
  compute(
    state: ServiceState<Settings, Memory>,
    points: readonly SensorDataPoint[],
    nowMs: number,
    windows?: PointWindows,
  ): Computed<Memory>;
  /** The windows that `compute` needs for these points. Absent if it reads no stored points. */
  neededWindows?(state: ServiceState<Settings, Memory>, points: readonly SensorDataPoint[]): NeededWindows;
  /** True if the service learns labelled ranges by manualLearn. */
  readonly learns?: boolean;
}

/** A service whose settings and memory are opaque to others. */
export type SensorService = SensorServiceDefinition<Json, Json>;

/** Hides the types of a service's settings and memory, so that all services fit into one catalogue. */
export function sensorService<Settings extends Json, Memory extends Json>(
  definition: SensorServiceDefinition<Settings, Memory>,
): SensorService {
  return definition as unknown as SensorService; // the stored data of a service is written by this service only
}

export function isGetMethod(method: SensorService['methods'][number]): method is GetMethod<Json, Json> {
  return 'get' in method;
}
