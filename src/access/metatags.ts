import { isRecord } from '../platform/is-record';

/** A value of a metatag; `1` and `"1"` are two values, and compare equal. */
export type MetatagValue = string | number | boolean;

/** Keeps the given order. A map, because names may mean something to JavaScript. */
export type Metatags = ReadonlyMap<string, readonly MetatagValue[]>;

export interface MetatagProblem {
  path: string;
  why: string;
}

const MAX_NAMES = 30;
const MAX_NAME_LENGTH = 32;
const MAX_VALUE_LENGTH = 100;
const MAX_VALUES = 1_000;

export function readMetatags(given: unknown): { metatags: Metatags } | { problem: MetatagProblem } {
  if (!isRecord(given)) {
    return { problem: { path: 'metatags', why: 'must be an object of names and lists of values' } };
  }
  const metatags = new Map<string, readonly MetatagValue[]>();
  for (const [name, value] of Object.entries(given)) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    const problem = problemOf(name, values);
    if (problem) return { problem };
    metatags.set(name, values.filter(isValue));
  }
  const problem = tooMany(withValues(metatags));
  return problem ? { problem } : { metatags };
}

/** As many as a sensor may have. */
export function metatagsAmong(tags: Readonly<Record<string, string>>): Metatags {
  const kept = Object.entries(tags).filter(([name, value]) => value !== '' && problemOf(name, [value]) === undefined);
  return new Map(kept.slice(0, MAX_NAMES).map(([name, value]) => [name, [value]]));
}

/** A name without values is removed. Too many from before may be reduced step by step. */
export function mergeMetatags(before: Metatags, given: Metatags): { metatags: Metatags } | { problem: MetatagProblem } {
  const metatags = withValues(new Map([...before, ...given]));
  const problem = tooMany(metatags, countValues(before));
  return problem ? { problem } : { metatags };
}

/** No search finds a sensor by a name without values. */
export function withValues(metatags: Metatags): Metatags {
  return new Map([...metatags].filter(([, values]) => values.length > 0));
}

export function valueKey(value: MetatagValue): string {
  return String(value).toLowerCase();
}

export function isValue(value: unknown): value is MetatagValue {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

function problemOf(name: string, values: readonly unknown[]): MetatagProblem | undefined {
  const path = `metatags.${[...name].slice(0, MAX_NAME_LENGTH).join('')}`;
  if (!/^[\x20-\x7e]+$/.test(name) || name.length > MAX_NAME_LENGTH) {
    return { path, why: `must have a name of 1 to ${MAX_NAME_LENGTH} ASCII characters` };
  }
  if (values.length > MAX_VALUES) return { path, why: `has more than ${MAX_VALUES} values` };
  for (const [index, value] of values.entries()) {
    const at = `${path}[${index}]`;
    if (!isValue(value)) return { path: at, why: 'must be a string, a number or a boolean' };
    if ([...String(value)].length > MAX_VALUE_LENGTH) {
      return { path: at, why: `is longer than ${MAX_VALUE_LENGTH} characters` };
    }
  }
  return undefined;
}

function countValues(metatags: Metatags): number {
  return [...metatags.values()].reduce((sum, values) => sum + values.length, 0);
}

function tooMany(metatags: Metatags, countBefore = 0): MetatagProblem | undefined {
  if (metatags.size > MAX_NAMES) {
    return { path: 'metatags', why: `has ${metatags.size} names; a sensor has at most ${MAX_NAMES} in a namespace` };
  }
  const count = countValues(metatags);
  if (count <= Math.max(MAX_VALUES, countBefore)) return undefined;
  return { path: 'metatags', why: `has ${count} values; a sensor has at most ${MAX_VALUES} in a namespace` };
}
