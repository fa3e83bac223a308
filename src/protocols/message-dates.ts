import { LAST_DATE_MS, parseIsoDate } from '../rules/dates';
import { UnreadableMessage } from './unreadable';

/** Fractions of a second beyond milliseconds. */
const BELOW_MILLISECONDS = /(\.\d{3})\d+/;

/**
 * The milliseconds of an ISO 8601 date with a zone, cut to whole ones; undefined if it is not given. UnreadableMessage,
 * naming the field, if it is no date that a data point can have.
 */
export function readIsoDate(given: unknown, field: string): number | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const ms = typeof given === 'string' ? parseIsoDate(given.replace(BELOW_MILLISECONDS, '$1')) : null;
  if (ms === null || ms < 0 || ms > LAST_DATE_MS) {
    throw new UnreadableMessage(`${field} must be a date and time from 1970 to 9999`);
  }
  return ms;
}

/** The `dateutc` of a weather station, `2026-11-26 10:32:35` in UTC; undefined for `now` or if it is not given. */
export function readDateUtc(given: string | undefined): number | undefined {
  return given === undefined || given === 'now' ? undefined : readIsoDate(`${given}Z`, 'dateutc');
}
