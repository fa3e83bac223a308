// The tuned constants of this room, and the decisions that explain or measure them.

/** Maximum number of empty lines that a queue keeps before it drops them (decision 52). */
export const EMPTY_LINES = 1_000;

/**
 * Maximum number of bytes that answers hold, from before they are read until the client has them, with unsent data of
 * streams. A character counts one byte, or two if its text is not Latin-1 (decision 57).
 */
export const ANSWER_BYTES = {
  ofUser: 96 * 1024 * 1024,
  ofAll: 192 * 1024 * 1024,
  reserve: { bytes: 32 * 1024 * 1024, upTo: 2 * 1024 * 1024 },
};
/**
 * Maximum number of bytes of open chunks, windows of backtests and decoded messages. A character counts two bytes,
 * unless its text is known to be Latin-1.
 */
export const WORK_BYTES = {
  ofUser: 48 * 1024 * 1024,
  ofAll: 128 * 1024 * 1024,
  reserve: { bytes: 32 * 1024 * 1024, upTo: 4 * 1024 * 1024 },
};
/** How long a request waits until Redis has charged its quota, in ms (decision 7). */
export const QUOTA_WAIT_MS = 250;

/** Half-life of recorded computing time, in ms (decision 66). */
export const HALF_LIFE_MS = 2_000;
/** Maximum computing time of an owner in one pass minus recent usage, in ms (decision 66). */
export const FULL_SLICE_MS = 200;
export const SHORTEST_SLICE_MS = 20;
/** Minimum slice of an owner while no other waits, in ms: in a large batch each point costs less (decision 55). */
export const SLICE_ALONE_MS = 100;
/** Recent usage with which an owner waits, in ms. Corresponds to about half of a processor. */
export const DEBT_LIMIT_MS = 1_500;
/** How long one owner computes before other work of the process runs, in ms. */
export const PAUSE_AFTER_MS = 20;
/** How long an owner beyond their share waits before they compute more, in ms. */
export const WAIT_STEP_MS = 25;
export const LONGEST_WAIT_MS = 10_000;
export const CHEAPEST_ROW_MS = 0.002;
/** Unmeasured rows that an owner gets: others need not wait for an unknown cost (decision 66). */
export const FIRST_ROWS = 20;
export const FIRST_USED_MS = 20;
export const FIRST_ROW_MS = 0.02;
export const WEIGHT_OF_LATEST = 0.5;
export const MEASURED_OWNERS = 20_000;
