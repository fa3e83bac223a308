/** The body of every error. */
export interface ErrorBody {
  /**
   * One sentence for a person.
   * @example "sensor.name is needed"
   */
  error: string;
  /**
   * A stable name of the kind of error, for programs.
   * @example "invalid_input"
   */
  code: string;
  /**
   * For input errors: the wrong fields and why each is refused.
   * @example { "sensor.name": "is needed" }
   */
  fields?: { [path: string]: string };
  /**
   * For our own faults: the id under which the log tells more.
   * @example "18a95727-a523-4f29-bb76-c15f3d0e6fc2"
   */
  request_id?: string;
}
