/** Holds in the tables of a wing, regardless of crashes. */
export interface Invariant {
  name: string;
  wrong: string;
  /** Selects `id` of violating rows; history from before `:history` may be purged. */
  sql: string;
}
