export interface PurgeStep {
  /** Number of deleted rows. */
  deleted: number;
  /** Where the next step starts, even after a restart. */
  position: number;
  /** True if nothing is left to do before the next run. */
  isDone: boolean;
}

/** A kind of rows that the purge deletes, in steps that lock few rows and take little time. */
export interface PurgeTask {
  /** Names its cursor. */
  readonly name: string;
  /** Common to the slices of a task, which share the time of a run. Undefined if the task has no slices. */
  readonly kind?: string;
  /**
   * True if there is nothing to do, determined by one read without locks. The run then skips the lease, whose commits
   * are most of the work of a run that deletes nothing. Without this function every run makes a step.
   */
  isIdle?(): Promise<boolean>;
  /** Does one step from the position of the last one. The very first starts at 0. */
  step(position: number): Promise<PurgeStep>;
}
