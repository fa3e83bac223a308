import { parseIsoDate } from '../../edge/dates';
import { localDateIn } from '../../language/local-time';
import type { YamlDocument } from './yaml-document';

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const DAY_MS = 86_400_000;
const LAST_DAY = 366;
const RULE = 'must be a time of day such as 21:00, seconds from midnight, or ISO 8601 with Z or an offset';

interface Timed {
  at: number | string;
}

/** Times of a list in ms. A time of day that is before the last one, or before `fromMs`, is on the next day. */
export function timesOf(
  text: YamlDocument,
  { list, path, timezone, fromMs }: { list: readonly Timed[]; path: string; timezone: string; fromMs?: number },
): number[] {
  let lastMs = fromMs ?? Number.NEGATIVE_INFINITY;
  return list.map(({ at }, index) => {
    const place = `${path}[${index}].at`;
    const atMs = timeOf(at, timezone, lastMs);
    if (atMs === undefined) throw text.mistake(place, RULE);
    if (index > 0 && atMs < lastMs) throw text.mistake(place, 'must not be before the time above');
    lastMs = atMs;
    return atMs;
  });
}

function timeOf(at: number | string, timezone: string, lastMs: number): number | undefined {
  if (typeof at === 'number') {
    return at >= 0 && at <= (LAST_DAY * DAY_MS) / 1000 ? localMs(timezone, Math.round(at * 1000)) : undefined;
  }
  const [, hours, minutes, seconds = '0'] = TIME_OF_DAY.exec(at.trim()) ?? [];
  if (hours === undefined) return parseIsoDate(at) ?? undefined;
  const ofDay = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  // The offset of a zone is less than a day.
  const daysBefore = Math.floor((lastMs - FIRST_DAY_MS) / DAY_MS) - 1;
  for (let day = Math.min(LAST_DAY, Math.max(0, daysBefore)); ; day += 1) {
    const atMs = localMs(timezone, day * DAY_MS + ofDay);
    if (atMs >= lastMs || day > LAST_DAY) return atMs;
  }
}

const FIRST_DAY_MS = Date.UTC(2024, 0, 1);

/** When the local clock is so many ms after midnight of the first day. */
function localMs(timezone: string, afterMs: number): number {
  const local = FIRST_DAY_MS + afterMs;
  const offset = (ms: number) => localDateIn(timezone, ms).getTime() - ms;
  return local - offset(local - offset(local));
}
