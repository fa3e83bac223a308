import assert from 'node:assert/strict';

const FACTOR = 8;
/** Between the factor of linear growth and its square. */
const MAX_FACTOR = 24;
const ROUNDS = 3;
/** A busy machine can slow down three rounds of the same work, but not the fastest of thirty. */
const TRIES = 10;
/** Shorter work is lost in the time of the garbage collector. */
const MIN_MS = 10;

/**
 * Asserts that the work takes processor time proportional to its size, which other processes do not change: at most
 * three times as much as 8 times the time of an eighth. Quadratic work takes 64 times as much.
 */
export function assertLinear(size: number, work: (size: number) => void, message?: string): void {
  const small = leastMs(() => work(Math.ceil(size / FACTOR)));
  const most = MAX_FACTOR * Math.max(small, MIN_MS);
  let large = leastMs(() => work(size));
  for (let tries = 1; large > most && tries < TRIES; tries += 1)
    large = Math.min(
      large,
      leastMs(() => work(size)),
    );
  assert.ok(large <= most, `${message ?? 'work'}: ${small} ms became ${large} ms`);
}

/** Asserts that the work takes at most so much processor time in one of some tries, by what `leastMs` says of other work. */
export function assertWithin(mostMs: number, work: () => void, message?: string): void {
  let took = Infinity;
  for (let tries = 0; tries < TRIES && took > mostMs; tries += 1) took = Math.min(took, leastMs(work, 1));
  assert.ok(took <= mostMs, `${message ?? 'work'}: ${took} ms, more than ${mostMs} ms`);
}

/** Processor time in ms of the fastest of some rounds: the first ones also compile. */
export function leastMs(work: () => void, count = ROUNDS): number {
  const rounds = Array.from({ length: count }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...rounds);
}
