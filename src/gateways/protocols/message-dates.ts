import { FIRST_CLOCK_MS, LAST_DATE_MS, parseIsoDate } from '../../edge/dates';
import { UnreadableMessage } from './unreadable';

const BELOW_MILLISECONDS = /(\.\d{3})\d+/;

/**
 * Cut to milliseconds; undefined if not given. Throws UnreadableMessage, naming the field, if no data point can have
 * the date.
 */
export function readIsoDate(given: unknown, field: string): number | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const ms = typeof given === 'string' ? parseIsoDate(given.replace(BELOW_MILLISECONDS, '$1')) : null;
  if (ms === null || ms < 0 || ms > LAST_DATE_MS) {
    throw new UnreadableMessage(`${field} must be a date and time from 1970 to 9999`);
  }
  return ms;
}

/** UTC as stations write it: one or two digits, hyphens or slashes, maybe a word for UTC. */
const STATION_DATE =
  /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})[T +]+(\d{1,2}):(\d{1,2})(?::(\d{1,2})(\.\d{1,9})?)?\s*(?:Z|UTC|GMT)?$/i;
/** In seconds or milliseconds. */
const UNIX_DATE = /^\d{9,13}$/;
const MILLISECONDS_FROM = 1e11;

/**
 * `2026-11-26 10:32:35`, `2026/1/8 1:2:3`, ISO 8601, unix seconds. Undefined for `now`, if not given, and for a clock
 * that was never set. Throws UnreadableMessage.
 */
export function readDateUtc(given: string | undefined): number | undefined {
  const text = given?.trim() ?? '';
  if (text === '' || text.toLowerCase() === 'now') return undefined;
  const ms = ofUnix(text) ?? parseIsoDate(text) ?? parseIsoDate(inIso(text));
  if (ms === null || ms > LAST_DATE_MS) {
    throw new UnreadableMessage('dateutc must be now, unix seconds, or a date and time in UTC: 2026-11-26 10:32:35');
  }
  return ms < FIRST_CLOCK_MS ? undefined : ms;
}

function ofUnix(text: string): number | undefined {
  if (!UNIX_DATE.test(text)) return undefined;
  const number = Number(text);
  return number < MILLISECONDS_FROM ? number * 1_000 : number;
}

function inIso(text: string): string {
  const [, year = '', , month = '', day = '', hour = '', minute = '', second = '0', fraction = ''] =
    STATION_DATE.exec(text) ?? [];
  const [mm, dd, h, m, s] = [month, day, hour, minute, second].map((part) => part.padStart(2, '0'));
  return `${year}-${mm}-${dd}T${h}:${m}:${s}${fraction}Z`;
}
