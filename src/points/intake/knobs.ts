// Tuned constants of this room, and the decisions that explain or measure them.

/** Concurrent commits, of different users (decisions 72 and 75). */
export const COMMITS = 3;
/** Points of a commit, unless its only request has more (decisions 42 and 72). */
export const POINTS_PER_COMMIT = 500;
/** Users who may wait for a locked point without blocking other uploads (decision 42). */
export const SLOW_USERS = 2;

/** Five of the largest requests may wait (decision 34). */
export const POINTS_PER_USER = 50_000;
/** Waiting requests of a user, however small (decision 34). */
export const REQUESTS_PER_USER = 2_000;
/** Waiting requests of all users, in bytes (decision 34). */
export const WAITING_BYTES = 64 * 1024 * 1024;

/** Some of the waiting points are stored by then. */
export const RETRY_SECONDS = 1;

/** A cached sensor takes about 150 bytes (decision 46). */
export const CACHED_SENSORS = 200_000;
/**
 * The previous release, which may still run, does not bump the epoch when an event notification starts to wait for
 * uploads (decision 46).
 */
export const CACHED_MS = 30_000;

/** Dates that must be free may be taken this often before the upload fails (decisions 64 and 102). */
export const MOST_RETRIES = 5;

/** Younger points are rows: nothing packs them, whatever CHUNK_AFTER_HOURS is (decision 102). */
export const SURELY_ROWS_MS = 60_000;
/** Dates that a commit looks up to unite its points with stored ones (decision 102). */
export const MOST_LOOKED_UP = 100_000;
/** Stored points that a commit completes, in bytes (decision 102). */
export const MOST_STORED_BYTES = 8 * 1024 * 1024;
