/**
 * Random numbers that a seed repeats (mulberry32). Not for secrets: it only decides about incidents and responses.
 */
export function randomSource(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low, high) => low + Math.floor(next() * (high - low + 1));
  /** One of `[[item, weight], ...]`. */
  const pick = (weighted) => {
    let left = next() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of weighted) {
      left -= weight;
      if (left < 0) return item;
    }
    return weighted.at(-1)[0];
  };
  return { next, between, pick };
}
