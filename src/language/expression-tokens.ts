import type { WrittenPart } from './sensor-value';

/** A refusal of an expression's text, with the 0-based offset of the error. */
export class SyntaxProblem extends Error {
  constructor(
    what: string,
    readonly position: number,
  ) {
    super(`${what} at position ${position}`);
  }
}

export type TokenKind = 'number' | 'text' | 'name' | 'operator' | 'open' | 'close' | 'comma' | 'end';

/** `value` is the meaning: `and` for `&&`, a text without its quotes. */
export interface Token {
  kind: TokenKind;
  value: string;
  /** Fields and indexes behind a variable, as in `sensor_data_value.lux[0]`. */
  path: readonly WrittenPart[];
  position: number;
}

const SPACE = /\s*/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const NAME = /[A-Za-z_]\w*/y;
const MEMBER = /\s*\.\s*(\w+)/y;
const QUOTED_MEMBER = /\s*\[\s*(?=")/y;
const INDEX = /\s*\[\s*(\d+)\s*\]/y;
const MEMBER_END = /\s*\]/y;
const OPERATOR = /&&|\|\||[=!<>]=|[-+*/%^?:<>!]/y;
const FOREIGN = /<>|=>|=<|[≥≤≠“”„«»‘’]/y;
const TEXT = /"((?:[^"\\]|\\.)*)"/sy;

const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
]);
const WORD_OPERATORS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in']);
const BRACKETS: Record<string, TokenKind> = { '(': 'open', '[': 'open', ')': 'close', ']': 'close', ',': 'comma' };
const QUOTES = ["'", '“', '”', '„', '«', '»', '‘', '’'];
const HINTS: ReadonlyMap<string, string> = new Map([
  ...QUOTES.map((quote) => [quote, 'a string constant is written in double quotes, as in "open"'] as const),
  ['=', 'to compare, write "=="'],
  ['<>', 'write "!="'],
  ['≠', 'write "!="'],
  ['=>', 'write ">="'],
  ['≥', 'write ">="'],
  ['=<', 'write "<="'],
  ['≤', 'write "<="'],
  ['&', 'write "and" or "&&"'],
  ['|', 'write "or" or "||"'],
]);

/** Throws SyntaxProblem for other characters. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = text.length - text.trimStart().length;
  while (at < text.length) {
    const [token, end] = tokenAt(text, at);
    tokens.push(token);
    at = end + (match(SPACE, text, end)?.[0].length ?? 0);
  }
  tokens.push({ kind: 'end', value: 'the end', path: [], position: text.length });
  return tokens;
}

function tokenAt(text: string, at: number): [Token, number] {
  const character = text.charAt(at);
  const bracket = Object.hasOwn(BRACKETS, character) ? BRACKETS[character] : undefined;
  if (bracket) return [{ kind: bracket, value: character, path: [], position: at }, at + 1];
  if (character === '"') return textAt(text, at);
  const number = match(NUMBER, text, at);
  if (number) return numberAt(text, at, number[0]);
  if (match(NAME, text, at)) return nameAt(text, at);
  const foreign = match(FOREIGN, text, at);
  const operator = foreign ? null : match(OPERATOR, text, at);
  if (operator) {
    const value = SPELLINGS.get(operator[0]) ?? operator[0];
    return [{ kind: 'operator', value, path: [], position: at }, at + operator[0].length];
  }
  const shown = foreign?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
  throw new SyntaxProblem(`unexpected "${shown}"${inBrackets(HINTS.get(shown))}`, at);
}

export function inBrackets(hint: string | undefined): string {
  return hint === undefined ? '' : ` (${hint})`;
}

function numberAt(text: string, at: number, digits: string): [Token, number] {
  const end = at + digits.length;
  if (/[\w.]/.test(text.charAt(end))) throw new SyntaxProblem(`unexpected "${text.charAt(end)}" in a number`, end);
  if (!Number.isFinite(Number(digits))) throw new SyntaxProblem('the number is too large', at);
  return [{ kind: 'number', value: digits, path: [], position: at }, end];
}

function nameAt(text: string, at: number): [Token, number] {
  const name = match(NAME, text, at)?.[0] ?? '';
  const path: WrittenPart[] = [];
  let end = at + name.length;
  for (let member = memberAt(text, end, name); member; member = memberAt(text, end, name)) {
    path.push(member.part);
    end = member.end;
  }
  const kind: TokenKind = path.length === 0 && WORD_OPERATORS.has(name) ? 'operator' : 'name';
  return [{ kind, value: name, path, position: at }, end];
}

/** A field after a dot or in quoted brackets, or an index. After `in`, brackets are a list. */
function memberAt(text: string, at: number, name: string): { part: WrittenPart; end: number } | undefined {
  const dotted = match(MEMBER, text, at);
  if (dotted) return { part: { name: dotted[1] ?? '', isQuoted: false }, end: at + dotted[0].length };
  if (WORD_OPERATORS.has(name)) return undefined;
  const index = match(INDEX, text, at);
  if (index) return { part: Number(index[1]), end: at + index[0].length };
  const open = match(QUOTED_MEMBER, text, at);
  if (!open) return undefined;
  const [{ value }, end] = textAt(text, at + open[0].length);
  const close = match(MEMBER_END, text, end);
  if (!close) throw new SyntaxProblem('"]" is missing', end);
  return { part: { name: value, isQuoted: true }, end: end + close[0].length };
}

export function shownPart(part: WrittenPart): string {
  if (typeof part === 'number') return `[${part}]`;
  return part.isQuoted ? `[${JSON.stringify(part.name)}]` : `.${part.name}`;
}

function textAt(text: string, at: number): [Token, number] {
  const found = match(TEXT, text, at);
  if (!found) throw new SyntaxProblem('the string constant that begins here has no end', at);
  const inside = found[1] ?? '';
  const value = inside.replace(/\\(.)/gsu, (sequence: string, character: string, offset: number) => {
    if (character === '"' || character === '\\') return character;
    throw new SyntaxProblem(`unknown escape "${sequence}" (there are \\" and \\\\)`, at + 1 + offset);
  });
  return [{ kind: 'text', value, path: [], position: at }, at + found[0].length];
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
