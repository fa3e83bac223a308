/** From and to, in unix seconds. */
export interface Range {
  from: number;
  to: number;
}

/** The data of one sensor in a range: stored points, or one point for each interval. */
export interface Points {
  dates: number[];
  values: string[];
  /** Seconds; 0 for stored points. */
  interval: number;
  /** The extremes of each interval. */
  extremes?: Extremes[];
}

/** The lowest and the highest number of an interval and their count, each in the form of a value. */
export interface Extremes {
  min: string;
  max: string;
  count: string;
}
