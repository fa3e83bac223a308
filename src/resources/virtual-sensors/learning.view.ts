/** The response to a time range to learn. */
export interface LearnResponse {
  /** @example "ok" */
  result: 'ok';
  /**
   * The number of learnt data points; for a range that is learnt later, the number of its data points.
   * @isLong
   * @example 1200
   */
  points: number;
}
