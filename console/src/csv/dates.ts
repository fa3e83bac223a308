import { inDigits } from './spelled-dates';
import type { Order } from './types';
import { readOffset } from './zones';

export interface DateFormat {
  order: Order;
  /** Whether digits spell a date (20240131) or count seconds, milliseconds and so on. */
  digits: 'spelled' | 'unix';
}

/**
 * The date in a cell: a moment, or a clock time without a zone (in milliseconds as if it were UTC), or a day, which
 * begins at midnight of the local clock.
 */
export type Shown = { ms: number } | { wallMs: number; isDay: boolean };

const TIME = String.raw`(\d{1,2})(?:[:.h]?(\d{2})(?:[:.]?(\d{2})(?:[.,:](\d{1,9}))?)?)?(?:\s*([AaPp])\.?\s*[Mm]\.?)?`;
const ZONE = String.raw`(?:\s*((?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?|[A-Za-z]{1,5}))?`;
const REST = String.raw`(?:(?:\s*[T,_]\s*|\s+)${TIME}${ZONE})?$`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${REST}`, 'i');
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})${REST}`, 'i');
const BASIC = new RegExp(String.raw`^(\d{4})()(\d{2})(\d{2})T${TIME}${ZONE}$`, 'i');
const SPELLED = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(?:(\d{2})(\d{2})?)?)?$/;
const UNIX = /^\d{9,19}(?:\.\d+)?$/;

/**
 * Maximum number of digits, and milliseconds per unit: seconds, milliseconds, microseconds; more digits are
 * nanoseconds.
 */
const UNITS = [
  [11, 1e3],
  [14, 1],
  [17, 1e-3],
] as const;
const DAY_MS = 86_400_000;
const LAST_YEAR = 2100;

interface Parts {
  first: number;
  second: number;
  third: number;
  isYearFirst: boolean;
  separator: string;
  hasTime: boolean;
  /** Since midnight; NaN for an impossible time. */
  timeMs: number;
  offset: number | undefined;
}

/** The parts of a date with separators; undefined for any other text. */
function partsOf(written: string): Parts | undefined {
  const text = inDigits(written);
  const isYearFirst = /^\d{4}/.test(text);
  const found = isYearFirst ? (YEAR_FIRST.exec(text) ?? BASIC.exec(text)) : YEAR_LAST.exec(text);
  if (!found) return undefined;
  const [, first, separator = '', second, third, hours, minutes, seconds, fraction, half, zone] = found;
  const offset = zone === undefined ? undefined : readOffset(zone);
  if (zone !== undefined && offset === undefined) return undefined;
  return {
    first: Number(first),
    second: Number(second),
    third: Number(third),
    isYearFirst,
    separator,
    hasTime: hours !== undefined,
    timeMs: timeOf(hours, minutes, seconds, fraction, half),
    offset,
  };
}

function timeOf(hours = '0', minutes = '0', seconds = '0', fraction = '0', half?: string): number {
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  if (half !== undefined && (hour < 1 || hour > 12)) return Number.NaN;
  const whole = half === undefined ? hour : (hour % 12) + (/p/i.test(half) ? 12 : 0);
  const ms = ((whole * 60 + minute) * 60 + second) * 1000 + Math.round(Number(`0.${fraction}`) * 1000);
  // 24:00 is the end of a day.
  return minute > 59 || second > 60 || ms > DAY_MS || whole > 24 ? Number.NaN : ms;
}

/** Midnight of a day; undefined for an impossible one. */
function dayMs(year: number, month: number, day: number): number | undefined {
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** Reads a cell; undefined if it is not a date, or an impossible one. */
export function readDate(cell: string, { order, digits }: DateFormat): Shown | undefined {
  const text = cell.trim();
  if (/^[\d.]+$/.test(text) && (UNIX.test(text) || SPELLED.test(text))) {
    return digits === 'spelled' ? spelled(text) : unix(text);
  }
  const parts = partsOf(text);
  if (!parts) return undefined;
  const { first, second, third, isYearFirst, hasTime, timeMs, offset } = parts;
  const [day, month] = order === 'day' || isDayFirst(parts) ? [first, second] : [second, first];
  const midnight = isYearFirst ? dayMs(first, second, third) : dayMs(fullYear(third), month, day);
  if (midnight === undefined || Number.isNaN(timeMs)) return undefined;
  if (offset !== undefined) return { ms: midnight + timeMs - offset * 60_000 };
  return { wallMs: midnight + timeMs, isDay: !hasTime };
}

/** With dots, the day is always first. */
function isDayFirst({ isYearFirst, separator }: Parts): boolean {
  return !isYearFirst && separator === '.';
}

function fullYear(year: number): number {
  if (year > 99) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}

function spelled(text: string): Shown | undefined {
  const [, year, month, day, hours, minutes, seconds] = SPELLED.exec(text) ?? [];
  if (year === undefined || Number(year) < 1970 || Number(year) >= LAST_YEAR) return undefined;
  const midnight = dayMs(Number(year), Number(month), Number(day));
  const timeMs = timeOf(hours, minutes, seconds);
  if (midnight === undefined || Number.isNaN(timeMs)) return undefined;
  return { wallMs: midnight + timeMs, isDay: hours === undefined };
}

/** Seconds, milliseconds, microseconds or nanoseconds, by the size of the number. */
function unix(text: string): Shown | undefined {
  if (!UNIX.test(text)) return undefined;
  const length = text.split('.')[0]?.length ?? 0;
  const [, factor] = UNITS.find(([most]) => length <= most) ?? [0, 1e-6];
  return { ms: Math.round(Number(text) * factor) };
}

/** True if a cell may be a date, in any format. */
export function isDate(cell: string): boolean {
  return signsOf(cell, 0) !== undefined;
}

/** Evidence in one cell for the format of its column. */
export interface DateSigns {
  hasTime: boolean;
  isDigits: boolean;
  /** True if its digits spell a date, and true if they count seconds (or a smaller unit) up to tomorrow. */
  spelled: boolean;
  unix: boolean;
  /** The orders that make it a date; both are true if both do. */
  dayFirst: boolean;
  monthFirst: boolean;
  /** True if the orders make different dates of it. */
  isAmbiguous: boolean;
  hasZone: boolean;
}

/** Evidence in a cell for the format of its column; undefined if it is not a date. */
export function signsOf(cell: string, nowMs: number): DateSigns | undefined {
  const text = cell.trim();
  if (/^[\d.]+$/.test(text) && (UNIX.test(text) || SPELLED.test(text))) return signsOfDigits(text, nowMs);
  const parts = partsOf(text);
  if (!parts || Number.isNaN(parts.timeMs)) return undefined;
  const dayFirst = readDate(text, { order: 'day', digits: 'unix' }) !== undefined;
  const monthFirst = isDayFirst(parts) ? dayFirst : readDate(text, { order: 'month', digits: 'unix' }) !== undefined;
  if (!dayFirst && !monthFirst) return undefined;
  const isAmbiguous =
    dayFirst && monthFirst && !parts.isYearFirst && !isDayFirst(parts) && parts.first !== parts.second;
  const { hasTime, offset } = parts;
  return {
    hasTime,
    isDigits: false,
    spelled: false,
    unix: false,
    dayFirst,
    monthFirst,
    isAmbiguous,
    hasZone: offset !== undefined,
  };
}

function signsOfDigits(text: string, nowMs: number): DateSigns | undefined {
  const isSpelled = spelled(text) !== undefined;
  const counted = unix(text);
  const isUnix = counted !== undefined && 'ms' in counted && counted.ms <= nowMs + DAY_MS;
  if (!isSpelled && counted === undefined) return undefined;
  return {
    hasTime: text.length !== 8,
    isDigits: true,
    spelled: isSpelled,
    unix: isUnix,
    dayFirst: true,
    monthFirst: true,
    isAmbiguous: false,
    hasZone: isUnix && !isSpelled,
  };
}
