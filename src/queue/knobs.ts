// The tuned constants of this room, and the decisions that explain or measure them.

/** How long nudges of passes gather after one, in ms; and after one for many points at once (decisions 117 and 119). */
export const LINGER_MS = 40;
export const LINGER_AFTER_MANY_MS = 10;
export const MANY_POINTS = 250;

/** Maximum number of nudges of a queue that wait for Redis. More are dropped; the reconciler repeats them. */
export const WAITING_NUDGES = 10_000;
export const NUDGES_PER_COMMAND = 1_000;
/** How long a caller waits until its nudges are enqueued, in ms. */
export const NUDGE_WAIT_MS = 2_000;

/** An owner's share in the queue of deliveries: one delivery in this time, in ms. */
export const DELIVERY_TICK_MS = 10;
export const ORDERED_OWNERS = 20_000;
export const PRIORITIES_PER_OWNER = 50;

/** Maximum number of concurrent dispatchers of events. More would only wait for MySQL (decision 43). */
export const DISPATCHERS = 8;

/** How long a worker counts as running after it last announced itself, in ms (decision 41). */
export const WORKER_COUNTED_MS = 15_000;
export const WORKERS_ASKED_MS = 5_000;
