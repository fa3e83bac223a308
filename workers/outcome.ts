/** A word for the result, or why the work has failed permanently without a fault of the platform. */
export type Outcome = string | { failed: string };
