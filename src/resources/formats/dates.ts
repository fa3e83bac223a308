import { InvalidInput } from '../../platform/errors';
import { LAST_DATE_MS, parseIsoDate, whyNoDate, whyUnseparated } from '../../rules/dates';
import { readNumber } from '../../rules/sensor-value';

const MAX_LENGTH = 100;

/** Unix seconds; also ISO 8601 with `Z` or an offset, which is converted by src/api/middlewares/lenient-reader.ts. */
export type DateInput = number;

/**
 * Unix seconds as whole milliseconds; InvalidInput, naming the field, if they are not a number or too large for one.
 */
export function readDate(seconds: unknown, field: string): number {
  const ms = typeof seconds === 'number' ? Math.round(seconds * 1000) : Number.NaN;
  if (!Number.isSafeInteger(ms)) throw InvalidInput.field(field, whyNoDate(''));
  return ms + 0; // never minus zero
}

/** The same for a date of a data point: from 1970 to the year 9999. */
export function readPointDate(seconds: unknown, field: string): number {
  const ms = readDate(seconds, field);
  if (ms < 0) throw InvalidInput.field(field, 'must not be before 1970');
  if (ms > LAST_DATE_MS) throw InvalidInput.field(field, 'must not be after the year 9999 (it is in seconds)');
  return ms;
}

/** The same for an unread date: a number, or a text with one or with an ISO 8601 date. */
export function readGivenPointDate(given: unknown, field: string): number {
  if (typeof given !== 'string' || given.length > MAX_LENGTH) return readPointDate(given, field);
  const isoMs = parseIsoDate(given);
  const mistake = whyUnseparated(given);
  if (mistake) throw InvalidInput.field(field, mistake);
  const seconds = isoMs === null ? readNumber(given) : isoMs / 1000;
  if (seconds === null) throw InvalidInput.field(field, whyNoDate(given));
  return readPointDate(seconds, field);
}

/** An instant as the API shows it: milliseconds to unix seconds, with 3 decimals at most. */
export function toUnixSeconds(ms: number): number {
  return ms / 1000;
}

/** The same for an instant that may be unset. */
export function toUnixSecondsOrNull(ms: number | null): number | null {
  return ms === null ? null : toUnixSeconds(ms);
}
