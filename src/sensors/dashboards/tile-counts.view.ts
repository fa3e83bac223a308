/** How many sensors are in each state. */
export interface TileCountsView {
  /**
   * Sensors with an open alert, by the severity of the most serious trigger.
   * @isInt
   * @example 2
   */
  critical: number;
  /**
   * @isInt
   * @example 1
   */
  warning: number;
  /**
   * @isInt
   * @example 0
   */
  info: number;
  /**
   * Without data for longer than expected, and without an open alert.
   * @isInt
   * @example 1
   */
  silent: number;
  /**
   * @isInt
   * @example 0
   */
  pending: number;
  /**
   * @isInt
   * @example 56
   */
  ok: number;
  /**
   * Without a trigger.
   * @isInt
   * @example 0
   */
  none: number;
}
