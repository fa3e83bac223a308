/** The last instant that has a date of four digits; data points and ranges of time end here. */
export const LAST_DATE_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const ISO_DATE =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([-+ ])(\d{2}):?(\d{2}))$/;

/**
 * The milliseconds of an ISO 8601 date and time with `Z` or an offset, rounded; null for anything else, and for a date that no
 * calendar has. A `+` that was not escaped in a query is a space there.
 */
export function parseIsoDate(text: string): number | null {
  const match = ISO_DATE.exec(text);
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

/** The same instant in ISO 8601, to the millisecond, in UTC. */
export function formatIsoDate(ms: number): string {
  return new Date(ms).toISOString();
}
