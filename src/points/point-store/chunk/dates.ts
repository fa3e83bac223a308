import type { ByteReader, ByteWriter } from './byte-columns';

const BASE = 0x100;
/** Dates are less than 2^53 apart. */
const MOST_HIGHER = 6;

/**
 * Writes ascending dates. Returns the lowest bytes of the differences, which are noise where dates jitter: compressed
 * apart, they keep the rest small.
 */
export function writeDates(to: ByteWriter, dates: readonly number[]): Buffer {
  const [first = 0] = dates;
  const steps = dates.map((dateMs, at) => dateMs - (dates[at - 1] ?? first));
  const higher: Uint8Array[] = [];
  for (let rest = over(steps); rest.some((step) => step > 0); rest = over(rest)) higher.push(Uint8Array.from(rest));
  to.signed(first);
  to.unsigned(higher.length);
  for (const column of higher) to.byteColumn(column);
  return Buffer.from(Uint8Array.from(steps)); // which keeps the lowest byte of each
}

function over(steps: readonly number[]): number[] {
  return steps.map((step) => Math.floor(step / BASE));
}

/** Throws RangeError for wrong bytes. */
export function readDates(from: ByteReader, lowest: Uint8Array, count: number): Float64Array {
  if (lowest.length !== count) throw new RangeError('the chunk has too few or too many dates');
  const dates = Float64Array.from(lowest);
  const first = from.signed();
  const higher = from.unsigned();
  if (higher > MOST_HIGHER) throw new RangeError('the dates of the chunk are too far apart');
  for (let factor = BASE, rest = higher; rest > 0; rest -= 1, factor *= BASE) {
    const column = from.byteColumn(count);
    for (let at = 0; at < count; at += 1) dates[at] = (dates[at] ?? 0) + (column[at] ?? 0) * factor;
  }
  for (let dateMs = first, at = 0; at < count; at += 1) {
    dateMs += dates[at] ?? 0;
    dates[at] = dateMs;
  }
  return dates;
}

export function readDatesOfFirstCodec(from: ByteReader, count: number): Float64Array {
  const dates = from.sums(count);
  let [before, step] = [0, 0];
  let sum = 0;
  for (let index = 0; index < count; index += 1) {
    const change = (dates[index] ?? 0) - sum;
    sum += change;
    const dateMs = before + step + change;
    step = before === 0 ? 0 : dateMs - before;
    before = dateMs;
    dates[index] = dateMs;
  }
  return dates;
}
