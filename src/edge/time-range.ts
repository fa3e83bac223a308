/** A range of time; both ends belong to it. */
export interface TimeRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** A range of time with the label that a service must learn from it. */
export interface LabelledRange extends TimeRange {
  readonly label: string;
}
