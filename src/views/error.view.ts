/** The body of every error. */
export interface ErrorBody {
  /** One sentence for a person. */
  error: string;
  /** A stable name of the kind of error, for programs. */
  code: string;
  /** For input errors: the wrong fields and why each is refused. */
  fields?: { [path: string]: string };
  /** For our own faults: the id under which the log tells more. */
  request_id?: string;
}
