import { inBrackets, SyntaxProblem, shownPart, type Token } from './expression-tokens';
import type { Vocabulary } from './expression-vocabulary';
import { isWindowFunction } from './windows/window-call';

const OWN_WORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'true', 'false', 'null']);
const FOREIGN_WORDS: ReadonlyMap<string, string> = new Map([
  ['none', 'write "null"'],
  ['log', 'write "ln" or "log10"'],
  ['pow', 'write "x ^ y"'],
]);

export function unexpected(token: Token): SyntaxProblem {
  if (token.kind === 'end') return new SyntaxProblem(`unexpected ${token.value}`, token.position);
  const hint = token.kind === 'name' ? wordFor(token.value) : undefined;
  const shown = hint === undefined ? shownName(token) : token.value;
  return new SyntaxProblem(`unexpected "${shown}"${inBrackets(hint)}`, token.position);
}

/** Undefined for a name that may be a variable. */
export function variableProblem(token: Token, isCalled: boolean, known: Vocabulary): SyntaxProblem | undefined {
  const { value, path, position } = token;
  if (!known.isVariable(value)) return unknownName(token, isCalled, known);
  const [first] = path;
  if (first !== undefined && known.ownerOf(value, first) === undefined) {
    return new SyntaxProblem(`"${value}" has no fields, "${shownName(token)}"`, position);
  }
  const names = path.flatMap((part) => (typeof part === 'number' ? [] : [part.name]));
  const forbidden = names.find((name) => !known.isField(name));
  return forbidden === undefined ? undefined : new SyntaxProblem(`unknown name "${forbidden}"`, position);
}

function unknownName(token: Token, isCalled: boolean, known: Vocabulary): SyntaxProblem {
  const hint = wordFor(token.value) ?? smallName(token.value, known);
  if (hint === undefined && known.onlyName !== undefined) {
    return new SyntaxProblem(`"${token.value}" in a window, where only ${known.onlyName} can be used`, token.position);
  }
  const meaning = hint ?? (isCalled ? undefined : known.meaningOf(shownName(token)));
  return new SyntaxProblem(`unknown name "${token.value}"${inBrackets(meaning)}`, token.position);
}

function shownName({ value, path }: Token): string {
  return `${value}${path.map(shownPart).join('')}`;
}

function wordFor(name: string): string | undefined {
  const small = name.toLowerCase();
  return small !== name && OWN_WORDS.has(small) ? `write "${small}"` : FOREIGN_WORDS.get(small);
}

function smallName(name: string, known: Vocabulary): string | undefined {
  const small = name.toLowerCase();
  const isKnown =
    small !== name && (known.isVariable(small) || known.arity(small) !== undefined || isWindowFunction(small));
  return isKnown ? `write "${small}"` : undefined;
}
