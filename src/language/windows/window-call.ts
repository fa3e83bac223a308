import { SyntaxProblem, type Token } from '../expression-tokens';

const SIGNATURES = {
  avg_over_time: ['x', 'seconds'],
  min_over_time: ['x', 'seconds'],
  max_over_time: ['x', 'seconds'],
  sum_over_time: ['x', 'seconds'],
  count_over_time: ['x', 'seconds'],
  stddev_over_time: ['x', 'seconds'],
  quantile_over_time: ['quantile', 'x', 'seconds'],
  delta: ['x', 'seconds'],
  rate: ['x', 'seconds', 'dip'],
  increase: ['x', 'seconds', 'dip'],
  changes: ['x', 'seconds'],
  deriv: ['x', 'seconds'],
  predict_linear: ['x', 'seconds', 'ahead'],
} as const;

export type WindowFunction = keyof typeof SIGNATURES;

export interface WindowCall {
  name: WindowFunction;
  seconds: number;
  /**
   * The quantile, the seconds ahead of `predict_linear`, or the `dip` of `increase` and `rate` (`NO_DIPS` without one);
   * otherwise 0.
   */
  parameter: number;
}

export const WINDOW_FUNCTIONS: readonly string[] = Object.keys(SIGNATURES);

/** The `dip` of a counter that never dips: each step back is a restart. */
export const NO_DIPS = -1;
/** 31 days. */
const MAX_WINDOW_SECONDS = 2_678_400;
/** Ten years. */
const MAX_AHEAD_SECONDS = 315_360_000;

const CONSTANTS = {
  seconds: { takes: `a whole number of seconds from 1 to ${MAX_WINDOW_SECONDS}`, min: 1, max: MAX_WINDOW_SECONDS },
  ahead: { takes: `a number of seconds from 0 to ${MAX_AHEAD_SECONDS}`, min: 0, max: MAX_AHEAD_SECONDS },
  quantile: { takes: 'a number from 0 to 1', min: 0, max: 1 },
  dip: { takes: 'a number, at least 0', min: 0, max: Number.MAX_VALUE },
} as const;

export interface WrittenWindow {
  name: WindowFunction;
  /** The last token is an end token. */
  inner: Token[];
  seconds: number;
  parameter: number;
}

export function isWindowFunction(name: string): name is WindowFunction {
  return Object.hasOwn(SIGNATURES, name);
}

/** Returns the index behind the call whose name is at `at`. Throws SyntaxProblem. */
export function readWindow(
  tokens: readonly Token[],
  at: number,
  name: WindowFunction,
): { window: WrittenWindow; next: number } {
  const { parts, next } = argumentsFrom(tokens, at + 2);
  const signature: readonly ('x' | keyof typeof CONSTANTS)[] = SIGNATURES[name];
  const { position } = tokens[at] ?? { position: 0 };
  const mayLack = signature.at(-1) === 'dip' ? 1 : 0;
  if (parts.length > signature.length || parts.length < signature.length - mayLack) {
    const counts = mayLack ? `${signature.length - 1} or ${signature.length}` : signature.length;
    throw new SyntaxProblem(`"${name}" takes ${counts} arguments, not ${parts.length}`, position);
  }
  const window: WrittenWindow = { name, inner: [], seconds: 0, parameter: mayLack ? NO_DIPS : 0 };
  for (const [index, part] of parts.entries()) {
    const kind = signature[index] ?? 'x';
    if (kind === 'x') window.inner = part;
    else if (kind === 'seconds') window.seconds = constant(part, kind, name);
    else window.parameter = constant(part, kind, name);
  }
  return { window, next };
}

function argumentsFrom(tokens: readonly Token[], start: number): { parts: Token[][]; next: number } {
  const parts: Token[][] = [];
  for (let from = start; ; ) {
    const at = separatorFrom(tokens, from);
    const token = tokens[at];
    if (!token || token.kind === 'end') throw new SyntaxProblem('")" is missing', token?.position ?? 0);
    if (token.value === ']') throw new SyntaxProblem(`unexpected "${token.value}"`, token.position);
    const end: Token = { kind: 'end', value: `"${token.value}"`, path: [], position: token.position };
    parts.push([...tokens.slice(from, at), end]);
    from = at + 1;
    if (token.kind === 'close') return { parts, next: from };
  }
}

function separatorFrom(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length - 1; at += 1) {
    const kind = tokens[at]?.kind;
    if (depth === 0 && (kind === 'comma' || kind === 'close')) return at;
    if (kind === 'open') depth += 1;
    if (kind === 'close') depth -= 1;
  }
  return tokens.length - 1;
}

function constant([token, end]: readonly Token[], kind: keyof typeof CONSTANTS, name: string): number {
  const { takes, min, max } = CONSTANTS[kind];
  const value = token?.kind === 'number' && end?.kind === 'end' ? Number(token.value) : Number.NaN;
  const isAllowed = value >= min && value <= max && (kind !== 'seconds' || Number.isInteger(value));
  if (!isAllowed) throw new SyntaxProblem(`"${name}" needs a constant here: ${takes}`, token?.position ?? 0);
  return value;
}
