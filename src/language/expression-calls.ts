import { SyntaxProblem, type Token } from './expression-tokens';
import type { Placeholder, Vocabulary } from './expression-vocabulary';
import { isZoneFunction } from './zones/zone-functions';

/** Throws SyntaxProblem. */
export function requireArguments({ value, position }: Token, given: number, known: Vocabulary): void {
  const arity = known.arity(value);
  if (arity === undefined || arity === 'many' || arity === given) return;
  const taken = arity === 1 ? '1 argument' : `${arity} arguments`;
  throw new SyntaxProblem(`"${value}" takes ${taken}, not ${given}`, position);
}

export function bareCall(name: string): Placeholder {
  return isZoneFunction(name) ? { kind: 'zone', name } : { kind: 'time', name };
}

/** The last argument of a call, if nobody writes it. */
export function lastArgument(called: string, { isZoned }: Vocabulary): Placeholder | undefined {
  if (isZoneFunction(called)) return { kind: 'zone', name: called };
  const name = 'reader_timezone';
  return isZoned?.(called) ? { kind: 'variable', name, owner: name, path: [] } : undefined;
}
