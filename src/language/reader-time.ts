import { LruCache } from '../platform/lru-cache';
import { ENGLISH, type Language, LOCALES } from '../platform/words/language';
import { isTimeZone } from './local-time';

export interface ReaderTime {
  /** `21 November 2026`. */
  day: string;
  /** `03:52:24`. */
  time: string;
  /** Offset to UTC, for example `+01:00`; `UTC` if there is none. */
  offset: string;
  zone: string;
}

interface ZoneFormat {
  zone: string;
  day: Intl.DateTimeFormat;
  time: Intl.DateTimeFormat;
}

const ZONES_KEPT = 500;
const formats = new LruCache<string, ZoneFormat>(ZONES_KEPT);
const DAY = { year: 'numeric', month: 'long', day: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;

/** The zone of the user's account, else of the trigger, else UTC. */
export function readerZone(ownerTimezone: string | null, triggerTimezone?: string): string {
  return ownerTimezone || triggerTimezone || 'UTC';
}

/** UTC for a zone that this process does not know. */
export function readerTime(atMs: number, timezone: string, language: Language = ENGLISH): ReaderTime {
  const { zone, day, time } = formats.get(`${language} ${timezone}`, () =>
    formatIn(isTimeZone(timezone) ? timezone : 'UTC', language),
  );
  const parts = new Map(time.formatToParts(atMs).map(({ type, value }) => [type, value]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return {
    day: day.format(atMs),
    time: `${of('hour')}:${of('minute')}:${of('second')}`,
    offset: of('timeZoneName').replace(/^GMT(\+00:00)?/, '') || 'UTC',
    zone,
  };
}

/** `21 November 2026, 03:52:24 +01:00 (Europe/Amsterdam)`; in UTC without the name. */
export function momentText({ day, time, offset, zone }: ReaderTime): string {
  return `${day}, ${time} ${zone === 'UTC' ? zone : `${offset} (${zone})`}`;
}

/** `Europe/Amsterdam (+01:00)`; `UTC` for UTC. */
export function zoneText({ offset, zone }: ReaderTime): string {
  return zone === 'UTC' ? zone : `${zone} (${offset})`;
}

function formatIn(timeZone: string, language: Language): ZoneFormat {
  const locale = LOCALES[language];
  return {
    zone: timeZone,
    day: new Intl.DateTimeFormat(locale, { timeZone, ...DAY }),
    time: new Intl.DateTimeFormat(locale, { timeZone, ...TIME, timeZoneName: 'longOffset' }),
  };
}
