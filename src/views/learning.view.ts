/** That a range was learnt, or will be. */
export interface LearntView {
  /** @example "ok" */
  result: 'ok';
  /**
   * How many data points were learnt. Of a range that is learnt later: how many are stored in it.
   * @isLong
   * @example 1200
   */
  points: number;
}
