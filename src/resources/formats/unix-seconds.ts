/** An instant as the API shows it: milliseconds to unix seconds, with 3 decimals at most. */
export function toUnixSeconds(ms: number): number {
  return ms / 1000;
}

/** The same for an instant that may be unset. */
export function toUnixSecondsOrNull(ms: number | null): number | null {
  return ms === null ? null : toUnixSeconds(ms);
}
