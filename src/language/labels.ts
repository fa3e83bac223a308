import { CannotEvaluate } from './evaluation-cost';
import { SyntaxProblem, type Token } from './expression-tokens';
import { readNumber } from './sensor-value';

export type LabelValue = number | string;

/** As in `label("limit", 8)`. */
export interface LabelCall {
  /** As written: a name in the namespace `default`, or a namespace and a name, as in `shop:limit`. */
  label: string;
  fallback?: LabelValue;
}

/** The first values of a sensor's metatags, by `labelKey`. */
export interface SensorLabels {
  sensorName: string;
  values: ReadonlyMap<string, LabelValue>;
}

/** By labels as they are written. */
export type UsedLabels = Readonly<Record<string, LabelValue>>;

/** Different ones of an expression. */
export const MAX_LABELS = 20;

const DEFAULT_NAMESPACE = 'default';
const CALL = /\blabel\s*\(/u;
/** Also in JSON, where quotes are escaped. */
const NAMED = /\blabel\s*\(\s*\\?"([^"\\]+)/gu;

/** False if no text reads a label. Nothing is compiled, which would take a hundred times as long. */
export function mayHaveLabels(...texts: readonly (string | null | undefined)[]): boolean {
  return texts.some((text) => text && CALL.test(text));
}

/** For texts and templates. Leaves fallbacks out. */
export function labelsNamedIn(texts: readonly (string | null | undefined)[]): LabelCall[] {
  return [...new Set(texts)].flatMap((text) => [...(text ?? '').matchAll(NAMED)].map(([, label = '']) => ({ label })));
}

export function labelKey(namespace: string, name: string): string {
  return `${namespace}:${name}`;
}

/** The key of a label as it is written. */
export function keyOfLabel(written: string): string {
  return written.includes(':') ? written : labelKey(DEFAULT_NAMESPACE, written);
}

export function nameOfKey(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}

/** A number where the value reads as one, otherwise its text. */
export function labelValue(value: string | number | boolean): LabelValue {
  if (typeof value === 'number') return value;
  return readNumber(String(value)) ?? String(value);
}

/** Undefined if the label is missing and the call has no fallback. */
export function findLabel({ label, fallback }: LabelCall, labels: SensorLabels | undefined): LabelValue | undefined {
  return labels?.values.get(keyOfLabel(label)) ?? fallback;
}

/** For labels that a request gives. */
export function givenLabels(
  given: Readonly<Record<string, string | number | boolean>>,
): ReadonlyMap<string, LabelValue> {
  return new Map(Object.entries(given).map(([label, value]) => [keyOfLabel(label), labelValue(value)]));
}

/** Undefined if the expression reads none. A missing label without a fallback is left out. */
export function usedLabels(calls: readonly LabelCall[], labels: SensorLabels | undefined): UsedLabels | undefined {
  if (calls.length === 0) return undefined;
  const found = calls.flatMap((call) => {
    const value = findLabel(call, labels);
    return value === undefined ? [] : [[call.label, value] as const];
  });
  return Object.fromEntries(found);
}

const WRITTEN = /\blabel\s*\(\s*"([^"\\]+)"\s*(?:,[^)]*)?\)/gu;

/** An expression with numbers in place of the labels that were numbers. */
export function withNumbersOfLabels(expression: string, used: UsedLabels = {}): string {
  return expression.replace(WRITTEN, (call, label: string) =>
    typeof used[label] === 'number' ? String(used[label]) : call,
  );
}

/** The labels of a sensor as a firing used them. */
export function labelsAsUsed(sensorName: string, used: UsedLabels = {}): SensorLabels {
  return { sensorName, values: new Map(Object.entries(used).map(([label, value]) => [keyOfLabel(label), value])) };
}

/** Throws CannotEvaluate, which names the sensor and the label. */
export function valueOfLabel(call: LabelCall, labels: SensorLabels | undefined): LabelValue {
  const value = findLabel(call, labels);
  if (value !== undefined) return value;
  if (!labels) throw new CannotEvaluate(`the sensor has no label "${call.label}"`);
  throw new CannotEvaluate(`the sensor "${labels.sensorName}" has no label "${call.label}"`);
}

/** Reads the call whose name is at `at`. Returns the index behind it. Throws SyntaxProblem. */
export function readLabelCall(tokens: readonly Token[], at: number): { call: LabelCall; next: number } {
  const { position } = tokens[at] ?? { position: 0 };
  const name = tokens[at + 2];
  if (tokens[at + 1]?.value !== '(' || name?.kind !== 'text' || nameOfKey(keyOfLabel(name.value)).trim() === '')
    throw new SyntaxProblem('"label" needs the name of a metatag in double quotes, as in label("limit", 8)', position);
  const label = name.value;
  const behind = tokens[at + 3];
  if (behind?.kind !== 'comma') return { call: { label }, next: behindCall(tokens, at + 3) };
  const { value, next } = constantAt(tokens, at + 4);
  return { call: { label, fallback: value }, next: behindCall(tokens, next) };
}

function behindCall(tokens: readonly Token[], at: number): number {
  const token = tokens[at];
  if (token?.kind === 'close' && token.value === ')') return at + 1;
  throw new SyntaxProblem('")" is missing behind the arguments of "label"', token?.position ?? 0);
}

function constantAt(tokens: readonly Token[], at: number): { value: LabelValue; next: number } {
  const token = tokens[at];
  const isSigned = token?.kind === 'operator' && (token.value === '-' || token.value === '+');
  const constant = isSigned ? tokens[at + 1] : token;
  const next = at + (isSigned ? 2 : 1);
  if (constant?.kind === 'number') return { value: Number(constant.value) * (token?.value === '-' ? -1 : 1), next };
  if (constant?.kind === 'text' && !isSigned) return { value: constant.value, next };
  throw new SyntaxProblem('the second argument of "label" must be a number or a text', token?.position ?? 0);
}
