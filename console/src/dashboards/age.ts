/** Seconds after which data is stale in any case of doubt. */
const SHORTEST = 120;
/** A pause of this many usual pauses is one too many. */
const PAUSES = 3;

/**
 * True if a value is older than its sensor lets one expect: three of its usual pauses, or, with too few points to know
 * them, a quarter of the shown range. All in seconds.
 */
export function isStale(last: number, dates: readonly number[], range: number, now: number): boolean {
  const pauses = dates.slice(1).map((date, at) => date - (dates[at] ?? 0));
  const usual = pauses.sort((a, b) => a - b)[Math.floor(pauses.length / 2)];
  const longest = usual === undefined || pauses.length < 3 ? range / 4 : PAUSES * usual;
  return now - last > Math.max(SHORTEST, longest);
}
