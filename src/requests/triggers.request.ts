/** A new trigger: an expression, a time of inactivity, or both. */
export interface NewTrigger {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "too warm"
   */
  name: string;
  /**
   * True lets the trigger fire. At most 2,000 characters.
   * @example "sensor_data_value > 30"
   */
  expression?: string;
  /**
   * Seconds without data after which the trigger fires: a whole number, 60 at least. 0 means none.
   * @isInt
   * @minimum 0
   * @maximum 2147483647
   * @example 3600
   */
  inactivity?: number;
}

/** Makes a trigger. */
export interface CreateTriggerRequest {
  trigger: NewTrigger;
}

/** The fields of a trigger to change; those not given stay. */
export interface TriggerChanges {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "much too warm"
   */
  name?: string;
  /**
   * True lets the trigger fire. At most 2,000 characters.
   * @example "sensor_data_value > 35"
   */
  expression?: string;
  /**
   * Seconds without data after which the trigger fires: a whole number, 60 at least. 0 with an
   * `expression` means not given; without one it takes the time away from a trigger that has an expression.
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
