const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;
const UNIX = /^\d{1,19}(\.\d+)?$/;
/** Digits of unix times before the point, and their factor: seconds, ms, µs, ns. */
const UNITS: readonly (readonly [digits: number, factor: number])[] = [
  [11, 1_000],
  [14, 1],
  [17, 1e-3],
  [19, 1e-6],
];

/** Reads dates as people's files write them without doubt: ISO 8601, and unix time in s, ms, µs or ns. */
export class DateReader {
  private readonly format: Intl.DateTimeFormat | undefined;
  /** Offsets by quarter of an hour: formatting is slow. */
  private readonly offsets = new Map<number, number>();

  /** `zone` is that of dates without one. Throws RangeError for an unknown zone. */
  constructor(private readonly zone: string | undefined) {
    if (zone === undefined) return;
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      ...parts,
      ...time,
    });
  }

  /** Milliseconds, or why the text is no date. */
  read(text: string): number | string {
    if (UNIX.test(text)) {
      const digits = text.split('.')[0]?.length ?? 0;
      const factor = UNITS.find(([most]) => digits <= most)?.[1] ?? 1;
      return Math.floor(Number(text) * factor + 1e-6);
    }
    const match = ISO.exec(text);
    if (!match) return 'is neither ISO 8601 (2026-11-22 14:30:00) nor a unix time';
    const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', offset] = match;
    const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
    if (new Date(wall).getUTCDate() !== Number(day) || Number(hour) > 23) return 'does not exist';
    const ms = wall + Math.floor(Number(`0.${fraction}`) * 1000 + 1e-6);
    if (offset !== undefined) return ms - offsetMs(offset);
    if (this.zone === undefined) return 'has no time zone: give one by --zone, Europe/Berlin for instance';
    return this.toUtc(ms);
  }

  /** When clocks go back, the first of two equal times counts. A time that clocks skip is read with the offset before it. */
  private toUtc(wallMs: number): number {
    const before = this.offsetAt(wallMs - 86_400_000);
    const early = wallMs - before;
    if (this.offsetAt(early) === before) return early;
    const late = wallMs - this.offsetAt(wallMs + 86_400_000);
    return this.offsetAt(late) === wallMs - late ? late : early;
  }

  private offsetAt(ms: number): number {
    const quarter = Math.floor(ms / 900_000);
    const known = this.offsets.get(quarter);
    if (known !== undefined) return known;
    const at = quarter * 900_000;
    const parts = Object.fromEntries(this.format?.formatToParts(at).map(({ type, value }) => [type, value]) ?? []);
    const wall = Date.UTC(
      Number(parts.year),
      Number(parts.month) - 1,
      Number(parts.day),
      Number(parts.hour),
      Number(parts.minute),
      Number(parts.second),
    );
    this.offsets.set(quarter, wall - at);
    return wall - at;
  }
}

function offsetMs(text: string): number {
  if (/^z$/i.test(text)) return 0;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(text) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
}
