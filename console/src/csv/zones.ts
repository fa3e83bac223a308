const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const OFFSET = /^(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?$/i;

/** Zones by the letters of RFC 5322, and European ones; other abbreviations are ambiguous or unknown. */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  Z: 0,
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 60,
  CET: 60,
  CEST: 120,
  MEZ: 60,
  MESZ: 120,
  EET: 120,
  EEST: 180,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
};

/** The minutes east of Greenwich of an offset or an abbreviation; undefined for any other text. */
export function readOffset(text: string): number | undefined {
  const known = ABBREVIATIONS[text.toUpperCase()];
  if (known !== undefined) return known;
  const [, sign, hours, minutes = '0'] = OFFSET.exec(text) ?? [];
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) return undefined;
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}

const NAMED = /(?<![A-Za-z])([A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z_-]+){1,2})(?![A-Za-z])/;
const UNIVERSAL = /(?<![A-Za-z])(?:UTC|GMT)(\s*[+-]\d{1,2}(?::?\d{2})?)?(?![A-Za-z\d])/i;

/** The time zone that a text names, as `Europe/Amsterdam`, `UTC` or `-05:00`; undefined if it names none. */
export function zoneIn(text: string): string | undefined {
  const name = NAMED.exec(text)?.[1];
  if (name && isZone(name)) return name;
  const found = UNIVERSAL.exec(text);
  if (!found) return undefined;
  const minutes = readOffset(found[1]?.replace(/\s/g, '') ?? 'UTC') ?? 0;
  return minutes === 0 ? 'UTC' : formatOffset(minutes);
}

function formatOffset(minutes: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false; // a RangeError
  }
}

/** The moment of a clock time, and how often local clocks show it. */
export interface Moment {
  /** The first of two moments; for a skipped time the moment an hour later, as in JavaScript. */
  ms: number;
  /** The second of two moments. */
  secondMs?: number;
  shown: 'once' | 'twice' | 'never';
}

/** Converts a clock time, given as if it were UTC, into the moment. */
export type Clock = (wallMs: number) => Moment;

/** The clock of a zone: it shows an hour twice when clocks go back, and skips one when they go forward. */
export function clockIn(zone: string): Clock {
  const fixed = readOffset(zone);
  if (fixed !== undefined) return (wallMs) => ({ ms: wallMs - fixed * MINUTE_MS, shown: 'once' });
  const offsetAt = offsetsOf(zone);
  // Looking up an offset is slow, and most days have only one.
  const days = new Map<number, { before: number; after: number }>();
  return (wallMs) => {
    const day = Math.floor(wallMs / DAY_MS);
    const known = days.get(day) ?? {
      before: offsetAt((day - 1) * DAY_MS),
      after: offsetAt((day + 2) * DAY_MS),
    };
    days.set(day, known);
    const { before, after } = known;
    const earlier = wallMs - before;
    if (before === after) return { ms: earlier, shown: 'once' };
    const later = wallMs - after;
    const isAfter = offsetAt(later) === after;
    if (offsetAt(earlier) === before)
      return isAfter ? { ms: earlier, secondMs: later, shown: 'twice' } : { ms: earlier, shown: 'once' };
    return isAfter ? { ms: later, shown: 'once' } : { ms: earlier, shown: 'never' };
  };
}

/** The milliseconds by which the clocks of a zone are ahead of UTC at a moment. */
function offsetsOf(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return shown - Math.floor(ms / 1000) * 1000;
  };
}
