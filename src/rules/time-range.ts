/** A range of time; both ends belong to it. */
export interface TimeRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** A range of time with the state that a service is to recognise in it. */
export interface LabelledRange extends TimeRange {
  readonly label: string;
}
