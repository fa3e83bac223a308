/** The names that an expression may use. */
export interface Vocabulary {
  isVariable(name: string): boolean;
  /** Whether `name.field` may be written. */
  hasFields(name: string): boolean;
  isField(name: string): boolean;
  /** Number of arguments of a function, `many` for one or more, undefined when there is no such function. */
  arity(name: string): number | 'many' | undefined;
  /** What an unknown name may mean; undefined if that is not known. */
  meaningOf(unknown: string): string | undefined;
  /** The names that the `x` of a window function may use; `inside` in such an `x`. Absent if there are no windows. */
  windows?: Vocabulary | 'inside';
}
