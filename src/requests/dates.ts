import { LAST_DATE_MS } from '../domain/dates';
import { InvalidInput } from '../errors';

/** Unix seconds as whole milliseconds; InvalidInput, naming the field, when they are no number or too large for one. */
export function readDate(seconds: unknown, field: string): number {
  const ms = typeof seconds === 'number' ? Math.round(seconds * 1000) : Number.NaN;
  if (!Number.isSafeInteger(ms)) throw InvalidInput.field(field, 'must be a time in unix seconds');
  return ms + 0; // never minus zero
}

/** The same for a date that data points can have: from 1970 to the year 9999. */
export function readPointDate(seconds: unknown, field: string): number {
  const ms = readDate(seconds, field);
  if (ms < 0) throw InvalidInput.field(field, 'must not be before 1970');
  if (ms > LAST_DATE_MS) throw InvalidInput.field(field, 'must not be after the year 9999 (it is in seconds)');
  return ms;
}
