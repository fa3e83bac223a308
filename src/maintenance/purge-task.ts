/** What one step of a task did. */
export interface PurgeStep {
  /** Rows that it deleted. */
  deleted: number;
  /** Where the next step starts, also after a restart. */
  position: number;
  /** Whether nothing is left to do before the next run. */
  isDone: boolean;
}

/** A kind of rows that the purge deletes, in steps that lock few rows and take little time. */
export interface PurgeTask {
  /** Names its cursor. */
  readonly name: string;
  /** What its slices have in common: they share the time of a run. Without, it has no slices. */
  readonly kind?: string;
  /**
   * Whether there is nothing to do, by one look that locks nothing: then a run spares itself the lease, whose commits are most of the
   * work of a run that deletes nothing. Without it every run makes a step.
   */
  isIdle?(): Promise<boolean>;
  /** Does one step from the position of the last one; the very first starts at 0. */
  step(position: number): Promise<PurgeStep>;
}
