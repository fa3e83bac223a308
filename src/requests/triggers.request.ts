/** A new trigger: an expression, an inactivity, or both. */
export interface NewTrigger {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "too warm"
   */
  name: string;
  /**
   * The trigger fires when this is true. At most 2,000 characters.
   * @example "sensor_data_value > 30"
   */
  expression?: string;
  /**
   * Seconds without data after which the trigger fires: at least 60. 0 means none.
   * @isInt
   * @minimum 0
   * @maximum 2147483647
   * @example 3600
   */
  inactivity?: number;
}

/** Creates a trigger. */
export interface CreateTriggerRequest {
  trigger: NewTrigger;
}

/** The fields of a trigger to change; others keep their values. */
export interface TriggerChanges {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "much too warm"
   */
  name?: string;
  /**
   * The trigger fires when this is true. At most 2,000 characters.
   * @example "sensor_data_value > 35"
   */
  expression?: string;
  /**
   * Seconds without data after which the trigger fires: at least 60. 0 with an `expression` means not given; without one
   * it removes the inactivity of a trigger that has an expression.
   * @isInt
   * @minimum 0
   * @maximum 2147483647
   * @example 7200
   */
  inactivity?: number;
}

/** Changes a trigger. */
export interface UpdateTriggerRequest {
  trigger: TriggerChanges;
}
