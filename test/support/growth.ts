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

/** Processor time in ms of the fastest of some rounds: the first ones also compile. */
export function leastMs(work: () => void): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...rounds);
}
