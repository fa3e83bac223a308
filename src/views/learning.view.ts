/** That a range was learnt. */
export interface LearntView {
  /** @example "ok" */
  result: 'ok';
  /**
   * How many data points were learnt. Of a range with more than 50,000 points the service learns samples from all over it.
   * @example 1200
   */
  points: number;
}
