import { LongNumber, nearestNumber } from '../../../platform/exact-json';
import { isRecord } from '../../../platform/is-record';
import type { Payload } from './payload';

/** Undefined if the payload has no such value. */
export type Evaluate = (payload: Payload) => unknown;

type Operation = (one: unknown, other: unknown) => unknown;

const ARITHMETIC: Readonly<Record<string, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
};
export const COMPARISONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['==', (one, other) => isEqual(one, other)],
  ['!=', (one, other) => !isEqual(one, other)],
  ['<', (one, other) => ordered(one, other, (sign) => sign < 0)],
  ['>', (one, other) => ordered(one, other, (sign) => sign > 0)],
  ['<=', (one, other) => ordered(one, other, (sign) => sign <= 0)],
  ['>=', (one, other) => ordered(one, other, (sign) => sign >= 0)],
]);

/** Undefined unless both are numbers and the result is finite. */
export function computed(one: Evaluate, other: Evaluate, sign: string): Evaluate {
  const operation = ARITHMETIC[sign];
  return (payload) => {
    const [first, second] = [nearestNumber(one(payload)), nearestNumber(other(payload))];
    if (!operation || typeof first !== 'number' || typeof second !== 'number') return undefined;
    const result = operation(first, second);
    return Number.isFinite(result) ? result : undefined;
  };
}

/** No number of JavaScript equals one that it cannot hold. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one instanceof LongNumber && other instanceof LongNumber) return String(one) === String(other);
  return one === other;
}

function ordered(given: unknown, than: unknown, decide: (sign: number) => boolean): boolean | undefined {
  const [one, other] = [nearestNumber(given), nearestNumber(than)];
  if (typeof one === 'number' && typeof other === 'number') return decide(one - other);
  if (typeof one === 'string' && typeof other === 'string') return decide(one < other ? -1 : Number(one > other));
  return undefined;
}

/** Undefined if the value has no such path. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return typeof step === 'number' ? inner[step] : undefined;
    return isRecord(inner) && Object.hasOwn(inner, String(step)) ? inner[String(step)] : undefined;
  }, value);
}
