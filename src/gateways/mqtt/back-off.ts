/** The pauses between tries. */
export interface Pauses {
  firstMs: number;
  longestMs: number;
}

/** Doubles with each earlier failure, up to the longest, and is shorter by up to a half. */
export function backOff(failures: number, { firstMs, longestMs }: Pauses, random = Math.random()): number {
  const ms = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 30));
  return Math.round(ms * (0.5 + random / 2));
}
