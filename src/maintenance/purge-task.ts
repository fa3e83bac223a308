/** What one step of a task did. */
export interface PurgeStep {
  /** Rows that it deleted. */
  deleted: number;
  /** Where the next step begins; a restart begins there as well. */
  position: number;
  /** Whether nothing is left to do before the next run. */
  isDone: boolean;
}

/** Something that is deleted in small steps, none of which locks much or takes long. */
export interface PurgeTask {
  /** Names its cursor. */
  readonly name: string;
  /** One step, from the position where the last one ended; the first of all begins at 0. */
  step(position: number): Promise<PurgeStep>;
}
