// The tuned constants of this room, and the decisions that explain or measure them.

/** Maximum number of concurrent commits, each of other users (decisions 72 and 75). */
export const COMMITS = 3;
/** Maximum number of points of a commit, unless its only request has more (decisions 42 and 72). */
export const POINTS_PER_COMMIT = 500;
/** Maximum number of users who may wait for a locked point without blocking other uploads (decision 42). */
export const SLOW_USERS = 2;

/** Maximum number of waiting points per user: five of the largest requests (decision 34). */
export const POINTS_PER_USER = 50_000;
/** Maximum number of waiting requests per user, however small they are (decision 34). */
export const REQUESTS_PER_USER = 2_000;
/** Maximum size of the waiting requests of all users (decision 34). */
export const WAITING_BYTES = 64 * 1024 * 1024;

/** Seconds after which some of the waiting points have been stored. */
export const RETRY_SECONDS = 1;

/** Maximum number of cached sensors, about 150 bytes each (decision 46). */
export const CACHED_SENSORS = 200_000;
/**
 * Maximum age of cached sensors, in ms. The previous release, which may still run next to this one, does not bump the
 * epoch when an event notification starts to wait for uploads (decision 46).
 */
export const CACHED_MS = 30_000;

/** How often dates that must be free may be taken by other points, before the upload fails (decisions 64 and 102). */
export const MOST_RETRIES = 5;

/** Points younger than this are rows: nothing packs them, whatever CHUNK_AFTER_HOURS is (decision 102). */
export const SURELY_ROWS_MS = 60_000;
/** Maximum number of dates that a commit looks up to unite its points with stored ones (decision 102). */
export const MOST_LOOKED_UP = 100_000;
/** Maximum number of bytes of the stored points that a commit completes (decision 102). */
export const MOST_STORED_BYTES = 8 * 1024 * 1024;
