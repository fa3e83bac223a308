import { localDateIn } from './local-time';

/** A time of each week by local clocks. */
export interface WeeklyTime {
  /** 0 is Sunday. */
  day: number;
  hour: number;
}

const DAY_MS = 86_400_000;
const DAYS = 8;

/** The first such time after a moment. Of a repeated hour the first; where the clocks skip it, what comes after. */
export function nextWeeklyMs({ day, hour }: WeeklyTime, timezone: string, afterMs: number): number {
  const local = localDateIn(timezone, afterMs);
  const midnightMs = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
  for (let count = 0; count <= DAYS; count += 1) {
    const dateMs = midnightMs + count * DAY_MS;
    if (new Date(dateMs).getUTCDay() !== day) continue;
    const atMs = momentOf(timezone, dateMs + hour * 3_600_000);
    if (atMs > afterMs) return atMs;
  }
  return afterMs + 7 * DAY_MS; // a zone that left out a date
}

/** Some weeks earlier, at this local time. */
export function weeksBefore(timezone: string, atMs: number, weeks: number): number {
  return momentOf(timezone, localDateIn(timezone, atMs).getTime() - weeks * 7 * DAY_MS);
}

/** Takes a local time in UTC fields. */
function momentOf(timezone: string, localMs: number): number {
  const offsetAt = (ms: number) => localDateIn(timezone, ms).getTime() - ms;
  const [before, after] = [localMs - DAY_MS, localMs + DAY_MS].map(offsetAt) as [number, number];
  const found = [localMs - before, localMs - after].filter((ms) => localDateIn(timezone, ms).getTime() === localMs);
  return found.length > 0 ? Math.min(...found) : localMs - before;
}
