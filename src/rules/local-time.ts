import { LruCache } from './lru-cache';

/** The time on the clocks and calendars of a place. */
export interface LocalTime {
  /** Day of the week; 0 is Sunday. */
  day: number;
  /** `HH:MM`, from 00:00 to 23:59. */
  time: string;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const ZONES_KEPT = 500;
const formats = new LruCache<string, Intl.DateTimeFormat>(ZONES_KEPT);

/** True for the name of a time zone of the IANA database, for example `Europe/Amsterdam`. */
export function isTimeZone(name: string): boolean {
  try {
    formatIn(name);
    return true;
  } catch {
    return false; // a RangeError
  }
}

/** The local time in a time zone; UTC for a zone that this process does not know. */
export function localTimeIn(timezone: string, atMs: number): LocalTime {
  const format = formats.get(timezone, () => formatIn(isTimeZone(timezone) ? timezone : 'UTC'));
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
  return { day: DAYS.indexOf(parts.get('weekday') ?? ''), time: `${parts.get('hour')}:${parts.get('minute')}` };
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const fields = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en-US', { timeZone, ...fields });
}
