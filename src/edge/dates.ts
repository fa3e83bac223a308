import { readNumber } from '../language/sensor-value';
import { InvalidInput } from '../platform/errors';

export const LAST_DATE_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A device whose clock was never set counts from 1970, or from its start. */
export const FIRST_CLOCK_MS = Date.UTC(2001, 0, 1);

const FRACTION = '(?:[.,](\\d{1,9}))?';
const ZONE = ' ?(?:([Zz])|([-+ ])(\\d{2}):?(\\d{2})?)';
const ISO_DATES = [
  new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})[Tt ](\\d{2}):(\\d{2})(?::(\\d{2})${FRACTION})?${ZONE}$`),
  new RegExp(`^(\\d{4})(\\d{2})(\\d{2})[Tt ](\\d{2})(\\d{2})(?:(\\d{2})${FRACTION})?${ZONE}$`),
];

/** The reason follows the name of a field. */
export function whyNoDate(text: string): string {
  const rule = 'must be a time in unix seconds, or in ISO 8601 with Z or an offset';
  return parseIsoDate(`${text}Z`) === null ? rule : `${rule}: this one has no time zone`;
}

/**
 * Milliseconds, rounded; null for other texts. Accepts every unambiguous spelling with `Z` or an offset. A `+` that a
 * query did not escape arrives as a space.
 */
export function parseIsoDate(text: string): number | null {
  const trimmed = text.trim();
  const match = ISO_DATES[0]?.exec(trimmed) ?? ISO_DATES[1]?.exec(trimmed);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const [fraction = '0', , sign, offsetHours = '0', offsetMinutes = '0'] = match.slice(7);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isReal || hour > 23 || minute > 59 || second > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59)
    return null;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1);
  const ms = Math.round(Number(`0.${fraction}`) * 1000);
  return date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + ms;
}

/** ISO 8601 in UTC, to the millisecond. */
export function formatIsoDate(ms: number): string {
  return new Date(ms).toISOString();
}

/** 1970 to 2099: a month and a day, optionally hours, minutes and seconds. */
const UNSEPARATED = /^(19[7-9]\d|20\d{2})(\d{2})(\d{2})(?:(\d{2})(?:(\d{2})(\d{2})?)?)?$/;
/** 2001 to 5138: 10 or 11 digits. */
const SECONDS = { from: 1e9, before: 1e11 };
/** Ten digits that can also spell an hour, as 2024010100; as seconds, 2032 to 2036. */
const HOURS = { from: 1_970_010_100, to: 2_099_123_123 };
/** Numbers of `HOURS` are seconds unless they lie further ahead. */
const AHEAD_MS = 365 * 86_400_000;

/**
 * The time that digits seem to spell: 20240101, 2024010110, 202401011000. As seconds it would be in 1970, years ahead,
 * or after 8000. Undefined for all others.
 */
export function unseparatedDate(given: number | string, nowMs = Date.now()): string | undefined {
  const seconds = Number(given);
  if (seconds >= SECONDS.from && seconds < SECONDS.before) {
    const isFarAhead = seconds >= HOURS.from && seconds <= HOURS.to && seconds * 1000 > nowMs + AHEAD_MS;
    if (!isFarAhead) return undefined;
  }
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = UNSEPARATED.exec(String(given).trim()) ?? [];
  if (year === undefined) return undefined;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  return parseIsoDate(iso) === null ? undefined : iso;
}

export function whyUnseparated(given: number | string): string | undefined {
  const iso = unseparatedDate(given);
  return (
    iso && `is ${String(given).trim()}, which looks like a date without separators: send "${iso}" or seconds since 1970`
  );
}

const MAX_LENGTH = 100;

/** Unix seconds; also ISO 8601 with `Z` or an offset, which is converted by src/edge/models/lenient-reader.ts. */
export type DateInput = number;

/** Throws InvalidInput, naming the field, for no number or one too large. */
export function readDate(seconds: unknown, field: string): number {
  const ms = typeof seconds === 'number' ? Math.round(seconds * 1000) : Number.NaN;
  if (!Number.isSafeInteger(ms)) throw InvalidInput.field(field, whyNoDate(''));
  return ms + 0; // never minus zero
}

/** Reads a date like `readDate`, from 1970 to the year 9999. */
export function readPointDate(seconds: unknown, field: string): number {
  const ms = readDate(seconds, field);
  if (ms < 0) throw InvalidInput.field(field, 'must not be before 1970');
  if (ms > LAST_DATE_MS) throw InvalidInput.field(field, 'must not be after the year 9999 (it is in seconds)');
  return ms;
}

/** Reads a number or text like `readPointDate`, also in ISO 8601. */
export function readGivenPointDate(given: unknown, field: string): number {
  if (typeof given !== 'string' || given.length > MAX_LENGTH) return readPointDate(given, field);
  const isoMs = parseIsoDate(given);
  const mistake = whyUnseparated(given);
  if (mistake) throw InvalidInput.field(field, mistake);
  const seconds = isoMs === null ? readNumber(given) : isoMs / 1000;
  if (seconds === null) throw InvalidInput.field(field, whyNoDate(given));
  return readPointDate(seconds, field);
}

/** Milliseconds to unix seconds, with 3 decimals at most. */
export function toUnixSeconds(ms: number): number {
  return ms / 1000;
}

/** Converts like `toUnixSeconds`; null stays null. */
export function toUnixSecondsOrNull(ms: number | null): number | null {
  return ms === null ? null : toUnixSeconds(ms);
}
