import type { ExpressionValue } from './sensor-value';
import type { WindowCall } from './windows/window-functions';

/**
 * The values that an expression may read. A missing or undefined one has no value. The time functions read
 * `sensor_data_date` and, if there is one, `timezone`.
 */
export type Variables = Readonly<Record<string, ExpressionValue | undefined>>;

export type Evaluated<T> = { ok: true; value: T } | { ok: false; error: string };

/** The call of a window function in a checked expression. */
export interface CompiledWindow extends WindowCall {
  /** The expression whose values at the points of the window are used. */
  x: CompiledExpression;
  /** Equal for expressions `x` that have equal values. */
  key: string;
}

/** Returns the result of a window function. Throws CannotEvaluate if it has none. */
export type WindowResults = (window: CompiledWindow) => number;

/** A checked expression. Its methods never throw. */
export interface CompiledExpression {
  /** The window functions that it calls. */
  readonly windows: readonly CompiledWindow[];
  /** The variables that it mentions, by themselves or by their fields. */
  readonly names: ReadonlySet<string>;
  /** True if the expression mentions this variable or one of its fields. */
  reads(name: string): boolean;
  /** The result as a decision: `true` and finite numbers other than 0 count as true; a string has no result. */
  evaluate(variables: Variables, windowResults?: WindowResults): Evaluated<boolean>;
  /** The result before it is read as a decision. */
  evaluateToValue(variables: Variables, windowResults?: WindowResults): Evaluated<number | string | boolean>;
  /** The result as a window function compares it: a list or an object as JSON text, the same for equal ones. */
  evaluateToComparable(variables: Variables): Evaluated<number | string | boolean>;
}

export type Compiled = { ok: true; expression: CompiledExpression } | { ok: false; error: string; position: number };
