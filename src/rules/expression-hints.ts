import { inBrackets, SyntaxProblem, shownPart, type Token } from './expression-tokens';

/** The names that an expression may use, and those that a hint may propose. */
export interface KnownNames {
  isVariable(name: string): boolean;
  /** Number of arguments of a function, `many` for one or more, undefined when there is no such function. */
  arity(name: string): number | 'many' | undefined;
  /** What an unknown name may mean; undefined if that is not known. */
  meaningOf(unknown: string): string | undefined;
}

const OWN_WORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'true', 'false', 'null']);
/** Words of other languages. */
const FOREIGN_WORDS: ReadonlyMap<string, string> = new Map([
  ['none', 'write "null"'],
  ['log', 'write "ln" or "log10"'],
  ['pow', 'write "x ^ y"'],
]);

/** The error for a token that cannot stand here. */
export function unexpected(token: Token): SyntaxProblem {
  if (token.kind === 'end') return new SyntaxProblem(`unexpected ${token.value}`, token.position);
  const hint = token.kind === 'name' ? wordFor(token.value) : undefined;
  const shown = hint === undefined ? shownName(token) : token.value;
  return new SyntaxProblem(`unexpected "${shown}"${inBrackets(hint)}`, token.position);
}

/** The error for a name that is neither a variable nor a function. */
export function unknownName(token: Token, isCalled: boolean, known: KnownNames): SyntaxProblem {
  const hint = wordFor(token.value) ?? smallName(token.value, known);
  const meaning = hint ?? (isCalled ? undefined : known.meaningOf(shownName(token)));
  return new SyntaxProblem(`unknown name "${token.value}"${inBrackets(meaning)}`, token.position);
}

/** A name with its fields, as it was written. */
export function shownName({ value, path }: Token): string {
  return `${value}${path.map(shownPart).join('')}`;
}

/** The hint for a word that other languages have, or that is not in small letters. */
function wordFor(name: string): string | undefined {
  const small = name.toLowerCase();
  return small !== name && OWN_WORDS.has(small) ? `write "${small}"` : FOREIGN_WORDS.get(small);
}

function smallName(name: string, known: KnownNames): string | undefined {
  const small = name.toLowerCase();
  const isKnown = small !== name && (known.isVariable(small) || known.arity(small) !== undefined);
  return isKnown ? `write "${small}"` : undefined;
}
