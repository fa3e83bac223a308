import type { TsoaRoute } from '@tsoa/runtime';
import { readNumber as readNumberText } from '../../language/sensor-value';
import { isWellFormed } from '../../platform/well-formed';
import { parseIsoDate, whyNoDate, whyUnseparated } from '../dates';

/** The value, or what it must be. */
export type Scalar = { ok: true; value: unknown } | { ok: false; why: string };

type Validators = TsoaRoute.PropertySchema['validators'];

const BOOLEANS = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
  ['true', true],
  ['false', false],
]);

/** true/false or 1/0, also as strings in any letter case. */
export function readBoolean(value: unknown): Scalar {
  const read = BOOLEANS.get(typeof value === 'string' ? value.trim().toLowerCase() : value);
  return read === undefined ? wrong('must be true or false') : { ok: true, value: read };
}

export function readNumber(value: unknown, validators: Validators, whole: boolean): Scalar {
  const read = typeof value === 'string' ? readNumberText(value) : value;
  const kind = whole ? 'a whole number' : 'a number';
  if (typeof read !== 'number' || !Number.isFinite(read)) return wrong(`must be ${kind}`);
  if (whole && !Number.isSafeInteger(read)) return wrong('must be a whole number');
  const { minimum, maximum } = validators ?? {};
  if (minimum && read < Number(minimum.value)) return wrong(`must be at least ${minimum.value}`);
  if (maximum && read > Number(maximum.value)) return wrong(`must be at most ${maximum.value}`);
  return { ok: true, value: read };
}

/** Unix seconds; ISO 8601 with `Z` or an offset is converted. */
export function readDate(value: unknown, validators: Validators): Scalar {
  const mistake = typeof value === 'string' || typeof value === 'number' ? whyUnseparated(value) : undefined;
  if (mistake) return wrong(mistake);
  const ms = typeof value === 'string' ? parseIsoDate(value) : null;
  const read = readNumber(ms === null ? value : ms / 1000, validators, false);
  return read.ok || ms !== null ? read : wrong(whyNoDate(typeof value === 'string' ? value : ''));
}

/** Converts numbers and booleans. Lengths count code points. */
export function readText(value: unknown, validators: Validators): Scalar {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return wrong('must be a string');
  const text = String(value);
  // MySQL's utf8mb4 cannot store half of a surrogate pair.
  if (!isWellFormed(text)) return wrong('must be well-formed Unicode');
  const { minLength, maxLength, pattern } = validators ?? {};
  const length = maxLength || minLength ? [...text].length : 0;
  if (maxLength && length > Number(maxLength.value)) return wrong(`must be at most ${maxLength.value} characters`);
  if (minLength && length < Number(minLength.value)) return wrong(`must be at least ${minLength.value} characters`);
  if (pattern && !new RegExp(String(pattern.value)).test(text))
    return wrong(pattern.errorMsg ?? `must match ${pattern.value}`);
  return { ok: true, value: text };
}

/** Accepts any letter case. */
export function readEnum(value: unknown, allowed: readonly unknown[]): Scalar {
  // An object may have a `toString` that is not a function, and a list of one is not its item.
  const text = typeof value === 'object' ? undefined : String(value).toLowerCase();
  const found = allowed.find((one) => one === value) ?? allowed.find((one) => String(one).toLowerCase() === text);
  return found === undefined ? wrong(`must be one of ${allowed.join(', ')}`) : { ok: true, value: found };
}

function wrong(why: string): Scalar {
  return { ok: false, why };
}
