import type { CompiledWindow } from '../../language/compiled-expression';
import type { SensorLabels } from '../../language/labels';
import type { PointWindows } from '../../language/windows/sensor-windows';
import type { RetentionDays } from '../../platform/retention';
import type { DataPoint, SensorDataPoint } from '../data-points/data-point';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** No used fields mean the whole value. */
export interface ServiceInput {
  readonly sensorId: number;
  readonly sensorName: string;
  readonly dataType: string;
  readonly fields: readonly string[];
  /** Days that the sensor keeps points: 0 if it stores none, null or absent if all. */
  readonly keptDays?: RetentionDays;
}

/** By the sensor of the points. */
export interface NeededWindows {
  readonly bySensor: ReadonlyMap<number, readonly CompiledWindow[]>;
  /** Ends of the windows, in order. */
  readonly dates: readonly number[];
}

/** Training jobs of long ranges; `read` points are read so far. */
export interface LearningProgress {
  /** Labels of pending ranges, and of stored examples, which the model may lack. */
  readonly labels: readonly string[];
  readonly waiting: number;
  readonly points: number;
  readonly read: number;
  /** Why the last finished range was not learnt; null if it was. */
  readonly error: string | null;
}

/** `model` is the text that the kind wrote. */
export interface ServiceState<Settings, Memory> {
  readonly inputs: readonly ServiceInput[];
  readonly settings: Settings;
  readonly memory: Memory;
  readonly model: string | null;
  /** Those of the virtual sensor that the settings name. Passed to `compute` only. */
  readonly labels?: SensorLabels;
  /** Passed to methods only. */
  readonly learning?: LearningProgress;
}

/** `error`: why the last point had no result; null if it had one. */
export interface Computed<Memory> {
  readonly outputs: readonly DataPoint[];
  readonly memory: Memory;
  readonly error: string | null;
}

/** Changes, or the reason for none. `result` is `ok` by default; examples of `forgetLabel` leave the training data. */
export type MethodOutcome<Settings> =
  | { readonly settings: Settings; readonly result?: string; readonly forgetLabel?: string }
  | { readonly refused: string };

interface MethodText {
  readonly name: string;
  /** `...` at the end means that more like the last may follow. */
  readonly parameters: readonly string[];
  readonly returns: string;
}

export interface GetMethod<Settings, Memory> extends MethodText {
  readonly get: (state: ServiceState<Settings, Memory>) => string;
}

export interface SetMethod<Settings, Memory> extends MethodText {
  readonly set: (state: ServiceState<Settings, Memory>, parameters: readonly string[]) => MethodOutcome<Settings>;
}

export interface SensorShape {
  readonly dataType: string;
  /** JSON text: field names to field types; empty if there is none. */
  readonly dataStructure: string;
}

/** Functions are pure: points and memory give output points and new memory, stored in one transaction. */
export interface SensorServiceDefinition<Settings extends Json, Memory extends Json> {
  readonly name: string;
  readonly description: string;
  readonly output: { readonly dataType: string; readonly dataStructure: string };
  /** Usable fields, `value` for a plain one. Empty if the service cannot use the sensor. */
  usableFields(sensor: SensorShape): readonly string[];
  readonly settings: Settings;
  readonly memory: Memory;
  readonly methods: readonly (GetMethod<Settings, Memory> | SetMethod<Settings, Memory>)[];
  /** Points come from all inputs, in order of date. */
  compute(
    state: ServiceState<Settings, Memory>,
    points: readonly SensorDataPoint[],
    nowMs: number,
    windows?: PointWindows,
  ): Computed<Memory>;
  /** Windows that `compute` needs. Absent if it reads no stored points. */
  neededWindows?(state: ServiceState<Settings, Memory>, points: readonly SensorDataPoint[]): NeededWindows;
  readonly learns?: boolean;
}

export type SensorService = SensorServiceDefinition<Json, Json>;

/** Hides the types of settings and memory, so that all services fit into one catalog. */
export function sensorService<Settings extends Json, Memory extends Json>(
  definition: SensorServiceDefinition<Settings, Memory>,
): SensorService {
  return definition as unknown as SensorService; // the stored data of a service is written by this service only
}

export function isGetMethod(method: SensorService['methods'][number]): method is GetMethod<Json, Json> {
  return 'get' in method;
}
