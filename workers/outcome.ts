/** A word for the result; or the reason why the work has failed for good although the platform did its part. */
export type Outcome = string | { failed: string };
