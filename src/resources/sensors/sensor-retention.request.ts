/** How long the data points of a sensor are kept. */
export interface RetentionFields {
  /**
   * Whole days after the date of a point.
   * @isInt
   * @minimum 1
   * @maximum 36500
   * @example 30
   */
  days: number;
}

export interface SetRetentionRequest {
  retention: RetentionFields;
}
