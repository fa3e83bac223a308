import { LruCache } from '../platform/lru-cache';
import { isTimeZone } from './local-time';
import { readNumber } from './sensor-value';

export const TEXT_FUNCTIONS = ['round', 'date'] as const;
export type TextFunction = (typeof TEXT_FUNCTIONS)[number];

const MAX_DIGITS = 15;
/** The end of the year 9999. */
const LAST_SECOND = 253_402_300_799;
const ZONES_KEPT = 1_400;
const formats = new LruCache<string, Intl.DateTimeFormat>(ZONES_KEPT);

/** Undefined for a valid argument. */
export function argumentProblem(name: TextFunction, argument: string | undefined): string | undefined {
  if (argument === undefined) return undefined;
  if (name === 'round') {
    const isCount = /^\d{1,2}$/.test(argument) && Number(argument) <= MAX_DIGITS;
    return isCount ? undefined : `round takes a number of digits from 0 to ${MAX_DIGITS}`;
  }
  return isTimeZone(argument)
    ? undefined
    : 'date takes the name of a time zone in quotes, "Europe/Berlin" for instance';
}

/**
 * `round` takes digits, none by default; `date` takes unix seconds and a zone, UTC by default. Other values stay
 * unchanged.
 */
export function applyTextFunction(name: TextFunction, value: string, argument: string | undefined): string {
  if (argumentProblem(name, argument) !== undefined) return value;
  const number = readNumber(value);
  if (number === null) return value;
  return name === 'round' ? roundedTo(number, Number(argument ?? 0)) : dateIn(number, argument ?? 'UTC');
}

/** Rounds half away from zero, by the written decimal digits. */
export function roundedTo(number: number, digits: number): string {
  const [mantissa = '0', exponent = '0'] = String(Math.abs(number)).split('e');
  const scaled = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
  const shown = Number(`${scaled}e-${digits}`);
  if (!Number.isFinite(shown)) return String(number);
  const text = shown < 1e21 ? shown.toFixed(digits) : String(shown);
  return number < 0 && Number(text) !== 0 ? `-${text}` : text;
}

/** `2026-11-25 19:00:00 +01:00`; in UTC for an unknown zone. */
export function dateIn(seconds: number, timeZone: string): string {
  if (seconds < 0 || seconds > LAST_SECOND) return String(seconds);
  const format = formats.get(timeZone.toLowerCase(), () => formatIn(timeZone));
  const parts = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const offset = of('timeZoneName').replace(/^GMT(\+00:00)?/, '') || 'UTC';
  return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}:${of('second')} ${offset}`;
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: isTimeZone(timeZone) ? timeZone : 'UTC',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  });
}
