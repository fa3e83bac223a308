/** A condition that always holds in the tables of a wing, regardless of crashes. */
export interface Invariant {
  name: string;
  /** The problem with each row found. */
  wrong: string;
  /** Selects `id` of every row that violates it; `:history` is the time before which history may have been purged. */
  sql: string;
}
