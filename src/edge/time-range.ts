/** Both ends belong to the range. */
export interface TimeRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** The label is what a service must learn from the range. */
export interface LabelledRange extends TimeRange {
  readonly label: string;
}
