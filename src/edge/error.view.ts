import type { ErrorCode } from '../platform/error-code';
import type { SecondFactorKind } from '../platform/second-factor-kind';

/** The body of every error. */
export interface ErrorBody {
  /**
   * One sentence for a person.
   * @example "sensor.name is required"
   */
  error: string;
  /**
   * The kind of error, for programs.
   * @example "invalid_input"
   */
  code: ErrorCode;
  /**
   * For input errors: the wrong fields and why each is refused.
   * @example { "sensor.name": "is required" }
   */
  fields?: { [path: string]: string };
  /**
   * For a login with the right password to an account with a second factor: what the account has.
   * @example ["totp"]
   */
  second_factor?: SecondFactorKind[];
  /**
   * For a fault of the platform (500): the id of this request, which identifies it in the operator's log.
   * @example "18a95727-a523-4f29-bb76-c15f3d0e6fc2"
   */
  request_id?: string;
}

/** The response `{}`: done, with nothing to report. */
export type EmptyResponse = Record<string, never>;
