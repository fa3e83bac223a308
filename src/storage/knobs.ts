/** Longer read statements are long ones, in seconds. */
export const SHORT_READ_SECONDS = 0.5;
/** How long after a long statement the user's other ones skip the connections for short ones, in ms. */
export const LONG_READER_MS = 60_000;
export const LONG_READERS = 10_000;

export const SELECTION_SECONDS = 2;

/** How long a transaction waits for a locked row before a retry, in seconds. */
export const LOCK_SECONDS = 10;
/** How long an upload waits for a locked row before other uploads continue without it, in seconds (decision 42). */
export const UPLOAD_LOCK_SECONDS = 1;
/** Maximum number of tries after deadlocks, lock timeouts and races lost to another server. */
export const MAX_TRIES = 6;
/** Doubles for each further try. */
export const FIRST_PAUSE_MS = 10;
/** Maximum number of waiters for a connection of a pool. Further ones are refused at once (decision 34). */
export const WAITING_PER_POOL = 2_000;

/** Maximum number of rows per statement. More would not be faster, and hold locks for longer. */
export const ROWS_PER_STATEMENT = 1_000;
/** Below `max_allowed_packet`, 16 MB in MariaDB. */
export const CHARACTERS_PER_STATEMENT = 2_000_000;
export const CHARACTERS_PER_PACKET = 500_000;
