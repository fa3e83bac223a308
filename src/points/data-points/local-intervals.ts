import { type Interval, type IntervalPiece, intervalStart, pieceAt, utcIntervals } from '../../edge/intervals';
import { offsetReader } from '../../language/local-time';
import { LruCache } from '../../platform/lru-cache';

const DAY_SECONDS = 86_400;
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** Afterwards the last offset continues. */
const LAST_CHANGE_MS = Date.UTC(2100, 0, 1);
/** More than exist. Looking up the changes of a zone takes a tenth of a second. */
const ZONES_KEPT = 1_000;

/** Until the next piece, local clocks have one offset to UTC. */
interface OffsetPiece {
  fromMs: number;
  offsetMs: number;
}

const knownOffsets = new LruCache<string, readonly OffsetPiece[]>(ZONES_KEPT);
const knownIntervals = new LruCache<string, readonly IntervalPiece[]>(2 * ZONES_KEPT);

/**
 * Days begin at the first moment of their date, weeks on Mondays; clock changes make them shorter or longer. Shorter
 * intervals begin as in UTC.
 */
export function localIntervals(interval: Interval, timezone: string): readonly IntervalPiece[] {
  if (interval < DAY_SECONDS) return utcIntervals(interval);
  // A name may be given in any letter case.
  const zone = new Intl.DateTimeFormat('en-US', { timeZone: timezone }).resolvedOptions().timeZone;
  return knownIntervals.get(`${interval} ${zone}`, () =>
    piecesOf(
      interval,
      knownOffsets.get(zone, () => offsetsOf(zone)),
    ),
  );
}

function piecesOf(interval: Interval, offsets: readonly OffsetPiece[]): IntervalPiece[] {
  const lengthMs = interval * 1000;
  const originMs = intervalStart(0, interval);
  // Clocks that are set back show a date twice: it begins at the first time.
  const startOf = (index: number) => {
    const localMs = originMs + index * lengthMs;
    const at = offsets.findIndex(({ fromMs, offsetMs }, piece) => {
      const nextMs = offsets[piece + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
      return Math.max(fromMs, localMs - offsetMs) < nextMs;
    });
    const { fromMs, offsetMs } = offsets[at] ?? { fromMs: 0, offsetMs: 0 };
    return Math.max(fromMs, localMs - offsetMs);
  };
  const indexAt = (ms: number) => {
    const offset = offsets[pieceAt(offsets, ms)]?.offsetMs ?? 0;
    const index = Math.floor((ms + offset - originMs) / lengthMs);
    return startOf(index + 1) <= ms ? index + 1 : index;
  };
  const changes = offsets.slice(1).flatMap(({ fromMs }) => [indexAt(fromMs - 1), indexAt(fromMs)]);
  const unusual = [...new Set(changes)].sort((a, b) => a - b);
  const pieces = [{ fromMs: startOf(indexAt(0)), lengthMs }];
  unusual.forEach((index, at) => {
    const [fromMs, endMs] = [startOf(index), startOf(index + 1)];
    if (endMs > fromMs) pieces.push({ fromMs, lengthMs: endMs - fromMs }); // one date never existed in Samoa
    const next = unusual[at + 1];
    if (next === undefined || startOf(next) > endMs) pieces.push({ fromMs: endMs, lengthMs });
  });
  return pieces;
}

/** Begins before 1970: days that began in 1969 must be found. */
function offsetsOf(timezone: string): OffsetPiece[] {
  const offsetAt = offsetReader(timezone);
  const pieces = [{ fromMs: Number.NEGATIVE_INFINITY, offsetMs: offsetAt(-WEEK_MS) }];
  for (let ms = -WEEK_MS; ms < LAST_CHANGE_MS; ms += WEEK_MS) {
    const before = pieces.at(-1)?.offsetMs;
    const offsetMs = offsetAt(ms + WEEK_MS);
    if (offsetMs !== before) pieces.push({ fromMs: firstWith(offsetMs, offsetAt, [ms, ms + WEEK_MS]), offsetMs });
  }
  return pieces;
}

function firstWith(offsetMs: number, offsetAt: (ms: number) => number, [before, after]: [number, number]): number {
  let [low, high] = [before, after];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offsetAt(middle) === offsetMs) high = middle;
    else low = middle;
  }
  return high;
}
