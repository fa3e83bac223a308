import type { WrittenPart } from './sensor-value';
import type { WindowCall } from './windows/window-functions';

/** The names that an expression may use. */
export interface Vocabulary {
  isVariable(name: string): boolean;
  /** Whether `name.field` may be written. */
  hasFields(name: string): boolean;
  isField(name: string): boolean;
  /** Number of arguments of a function, `many` for one or more, undefined when there is no such function. */
  arity(name: string): number | 'many' | undefined;
  /** True for a function that gets the variable `timezone` as a further argument, which is not written. */
  isZoned?(name: string): boolean;
  /** What an unknown name may mean; undefined if that is not known. */
  meaningOf(unknown: string): string | undefined;
  /** The names that the `x` of a window function may use; `inside` in such an `x`. Absent if there are no windows. */
  windows?: Vocabulary | 'inside';
}

/**
 * A constant, a variable with a path into its value, a function of the local time, or the call of a window function. The
 * rewritten text calls it `v<index>`.
 */
export type Placeholder =
  | { kind: 'constant'; value: string | null }
  | { kind: 'variable'; name: string; path: readonly WrittenPart[] }
  | { kind: 'time'; name: string }
  | ({ kind: 'window'; key: string; x: CheckedSyntax } & WindowCall);

export interface CheckedSyntax {
  /** The same expression in the evaluator's language. It contains nothing of the user's text except numbers. */
  text: string;
  placeholders: Placeholder[];
}
