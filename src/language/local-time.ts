import { LruCache } from '../platform/lru-cache';

export interface LocalTime {
  /** 0 is Sunday. */
  day: number;
  /** `HH:MM`. */
  time: string;
}

const DAY_MS = 86_400_000;
const ZONES_KEPT = 500;
const DAYS_KEPT = 8;
/** Twice the number of zones: half of the cache holds all of them. */
const NAMES_KEPT = 1_400;
const zoneNames = new LruCache<string, true>(NAMES_KEPT);
const clocks = new LruCache<string, ZoneClock>(ZONES_KEPT);

export const TIME_ZONE_RULE = 'must be the name of a time zone, Europe/Amsterdam for instance';

/** True for names of the IANA database. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false; // newer versions of Node also take offsets, for example +02:00
  const key = name.toLowerCase();
  if (zoneNames.find(key)) return true;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    zoneNames.set(key, true);
    return true;
  } catch {
    return false; // a RangeError
  }
}

/** UTC for a zone that this process does not know. */
export function localTimeIn(timezone: string, atMs: number): LocalTime {
  const local = localDateIn(timezone, atMs);
  return { day: local.getUTCDay(), time: local.toISOString().slice(11, 16) };
}

/** The local time in a date's UTC fields. UTC for an unknown zone. Cheap for moments of a few UTC days. */
export function localDateIn(timezone: string, atMs: number): Date {
  const clock = clocks.get(timezone, () => new ZoneClock(offsetReader(isTimeZone(timezone) ? timezone : 'UTC')));
  return new Date(atMs + clock.offsetAt(atMs));
}

/** Times are in ms. Each call of the returned function formats a date. */
export function offsetReader(timeZone: string): (ms: number) => number {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, ...fields, second: 'numeric', hourCycle: 'h23' });
  return (ms) => {
    const second = Math.floor(ms / 1000) * 1000;
    const parts = new Map(format.formatToParts(second).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - second;
  };
}

/** A day whose ends have one offset has it throughout. */
class ZoneClock {
  /** Null for a day on which the clocks change. */
  private readonly days = new LruCache<number, number | null>(DAYS_KEPT);

  constructor(private readonly readOffset: (ms: number) => number) {}

  offsetAt(atMs: number): number {
    const dayMs = Math.floor(atMs / DAY_MS) * DAY_MS;
    return this.days.get(dayMs, () => this.offsetOf(dayMs)) ?? this.readOffset(atMs);
  }

  private offsetOf(dayMs: number): number | null {
    const offsetMs = this.readOffset(dayMs);
    return offsetMs === this.readOffset(dayMs + DAY_MS) ? offsetMs : null;
  }
}
