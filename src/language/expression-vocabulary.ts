import type { WrittenPart } from './sensor-value';
import type { WindowCall } from './windows/window-functions';

/** The names that an expression may use. */
export interface Vocabulary {
  isVariable(name: string): boolean;
  /** The variable whose value has the part in `name.field` or `name[0]`; undefined if that cannot be written. */
  ownerOf(name: string, part: WrittenPart): string | undefined;
  isField(name: string): boolean;
  /** Number of arguments of a function, `many` for one or more, undefined when there is no such function. */
  arity(name: string): number | 'many' | undefined;
  /** True for a function that gets the variable `reader_timezone` as a further argument, which is not written. */
  isZoned?(name: string): boolean;
  /** What an unknown name may mean; undefined if that is not known. */
  meaningOf(unknown: string): string | undefined;
  /** The names that the `x` of a window function may use; `inside` in such an `x`. Absent if there are no windows. */
  windows?: Vocabulary | 'inside' | undefined;
  /** In the `x` of a window function: the only name that it may use, if there is only one. */
  onlyName?: string | undefined;
  /** In the `x` of a window function: why it cannot mention these variables together; undefined if it can. */
  windowProblem?: ((names: ReadonlySet<string>) => string | undefined) | undefined;
}

/**
 * A constant, a variable with a path into its value, a function of the local time, or the call of a window function. The
 * rewritten text calls it `v<index>`.
 */
export type Placeholder =
  | { kind: 'constant'; value: string | null }
  | WrittenVariable
  | { kind: 'time'; name: string }
  | ({ kind: 'window'; key: string; x: CheckedSyntax } & WindowCall);

/** A variable with a path into the value of `owner`. It is called `name` in messages. */
export interface WrittenVariable {
  kind: 'variable';
  name: string;
  owner: string;
  path: readonly WrittenPart[];
}

/** The variables that placeholders mention. */
export function namesIn(placeholders: readonly Placeholder[]): Set<string> {
  return new Set(placeholders.flatMap((placeholder) => (placeholder.kind === 'variable' ? [placeholder.name] : [])));
}

export interface CheckedSyntax {
  /** The same expression in the evaluator's language. It contains nothing of the user's text except numbers. */
  text: string;
  placeholders: Placeholder[];
}
