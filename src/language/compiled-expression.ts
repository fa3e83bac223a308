import type { LabelCall, SensorLabels } from './labels';
import type { ExpressionValue } from './sensor-value';
import type { WindowCall } from './windows/window-call';
import type { SensorZones } from './zones/sensor-zones';

/** Undefined has no value. The time functions read `sensor_data_date` and `timezone`. */
export type Variables = Readonly<Record<string, ExpressionValue | undefined>>;

export type Evaluated<T> = { ok: true; value: T } | { ok: false; error: string };

export interface CompiledWindow extends WindowCall {
  x: CompiledExpression;
  /** Equal for expressions `x` that have equal values. */
  key: string;
}

export type WindowResults = (window: CompiledWindow) => number;

/** What an expression reads in addition to its variables. */
export interface Surroundings {
  windowResults?: WindowResults | undefined;
  labels?: SensorLabels | undefined;
  zones?: SensorZones | undefined;
}

/** A checked expression. Its methods never throw. */
export interface CompiledExpression {
  readonly windows: readonly CompiledWindow[];
  /** Those within windows too. */
  readonly labels: readonly LabelCall[];
  /** The variables that it mentions, whole or by their fields. */
  readonly names: ReadonlySet<string>;
  /** True if the result depends on `sensor_data_value` and on nothing else. */
  readonly readsOnlyValue: boolean;
  reads(name: string): boolean;
  /** `true` and finite numbers other than 0 count as true; a string has no result. */
  evaluate(variables: Variables, surroundings?: Surroundings): Evaluated<boolean>;
  evaluateToValue(variables: Variables, surroundings?: Surroundings): Evaluated<number | string | boolean>;
  /** The result as window functions compare it: lists and objects as canonical JSON. */
  evaluateToComparable(variables: Variables, surroundings?: Surroundings): Evaluated<number | string | boolean>;
}

export type Compiled = { ok: true; expression: CompiledExpression } | { ok: false; error: string; position: number };
