// The tuned constants of this room, and the decisions that explain or measure them.

/** Maximum duration of a read statement before it counts as a long one, in seconds. */
export const SHORT_READ_SECONDS = 0.5;
/** How long after a long statement the user's other statements skip the connections for short ones, in ms. */
export const LONG_READER_MS = 60_000;
/** Maximum number of users who are cached as such. */
export const LONG_READERS = 10_000;

/** Maximum duration of a statement that finds the sensors of a selector, in seconds. */
export const SELECTION_SECONDS = 2;

/** How long a transaction waits for a locked row before it is retried, in seconds. It is retried a few times. */
export const LOCK_SECONDS = 10;
/** How long an upload waits for a locked row before other uploads continue without it, in seconds (decision 42). */
export const UPLOAD_LOCK_SECONDS = 1;
/**
 * Maximum number of tries of a transaction that deadlocks, waits too long for a lock, or loses a race to another
 * server.
 */
export const MAX_TRIES = 6;
/** Maximum pause before the second try, in ms. It doubles before each further try. */
export const FIRST_PAUSE_MS = 10;
/**
 * Maximum number of waiters for a connection of a pool. Further ones are refused at once, as if MySQL were unreachable
 * (decision 34).
 */
export const WAITING_PER_POOL = 2_000;

/** Maximum number of rows per statement. Larger statements would not be faster, and would hold locks for longer. */
export const ROWS_PER_STATEMENT = 1_000;
/** MySQL refuses a statement above its `max_allowed_packet`, 16 MB in MariaDB. A character takes up to three bytes. */
export const CHARACTERS_PER_STATEMENT = 2_000_000;
/** Maximum length, in characters, of statements that are sent together (decision 44). */
export const CHARACTERS_PER_PACKET = 500_000;
