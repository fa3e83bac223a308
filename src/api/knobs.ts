// The tuned constants of this room, and the decisions that explain or measure them.

/** Concurrent requests of one user, or of one address without a session, and how many wait (decision 34). */
export const READS = { perTenant: 3, waitingPerTenant: 100 };
export const CHANGES = { perTenant: 2, waitingPerTenant: 200 };
export const VISITS = { perTenant: 4, waitingPerTenant: 200 };
/**
 * Maximum number of waiting requests of a kind in one API process. Beyond it, tenants with more than their share are
 * refused (decision 34).
 */
export const WAITING = 2_000;
/**
 * Maximum number of concurrent changes: below the number of connections, so that reads continue whatever changes wait
 * for.
 */
export const CHANGES_AT_ONCE = 6;
/** How long a client may read nothing of its answer, in ms. */
export const STALLED_MS = 30_000;

/** Large bodies that are parsed and answered at the same time, and how many of a user wait. */
export const LARGE_BODIES = { atOnce: 2, waitingPerTenant: 100 };
/** Maximum number of bytes of unpacked bodies, until their answers begin. */
export const BODY_BYTES = { ofUser: 32 * 1024 * 1024, ofAll: 128 * 1024 * 1024 };

/** Answers from this size on must be read within the time limit (decision 57). */
export const LARGE_ANSWER_BYTES = 1024 * 1024;
export const LARGE_ANSWER_MS = 300_000;

/** Maximum number of waiting requests of one connection. */
export const PIPELINED = 100;
