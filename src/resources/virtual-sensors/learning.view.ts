/** The response to a time range to learn. */
export interface LearnResponse {
  /** @example "ok" */
  result: 'ok';
  /**
   * The number of data points that were learnt; for a range that is learnt later, the number that it has.
   * @isLong
   * @example 1200
   */
  points: number;
}
