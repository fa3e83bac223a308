import type { LabelCall } from './labels';
import type { WrittenPart } from './sensor-value';
import type { WindowCall } from './windows/window-call';
import { valueOfZone, type ZoneFunction } from './zones/zone-functions';

export interface Vocabulary {
  isVariable(name: string): boolean;
  /** The variable that has the part in `name.field` or `name[0]`; undefined if that cannot be written. */
  ownerOf(name: string, part: WrittenPart): string | undefined;
  isField(name: string): boolean;
  arity(name: string): number | 'many' | undefined;
  /** True for a function with a further, unwritten argument: the variable `reader_timezone`. */
  isZoned?(name: string): boolean;
  /** Absent where no sensor has labels. */
  hasLabels?: boolean | undefined;
  /** A hint for an unknown name; undefined if there is none. */
  meaningOf(unknown: string): string | undefined;
  /** `inside` within the `x` of a window function. Absent without windows. */
  windows?: Vocabulary | 'inside' | undefined;
  /** The only name that an `x` may use, if there is only one. */
  onlyName?: string | undefined;
  windowProblem?: ((names: ReadonlySet<string>) => string | undefined) | undefined;
}

/** The rewritten text calls a placeholder `v<index>`. */
export type Placeholder =
  | { kind: 'constant'; value: string | null }
  | WrittenVariable
  | { kind: 'time'; name: string }
  | ({ kind: 'label' } & LabelCall)
  | { kind: 'zone'; name: ZoneFunction }
  | ({ kind: 'window'; key: string; x: CheckedSyntax } & WindowCall);

export interface WrittenVariable {
  kind: 'variable';
  name: string;
  owner: string;
  path: readonly WrittenPart[];
}

export function namesIn(placeholders: readonly Placeholder[]): Set<string> {
  return new Set(placeholders.flatMap(namesOf));
}

function namesOf(placeholder: Placeholder): string[] {
  if (placeholder.kind === 'variable') return [placeholder.name];
  return placeholder.kind === 'zone' ? [valueOfZone(placeholder.name)] : [];
}

export interface CheckedSyntax {
  /** The evaluator's language, with nothing of the user's text except numbers. */
  text: string;
  placeholders: Placeholder[];
}
