import type { ErrorCode } from '../../platform/error-code';
import type { Words } from '../../platform/words/words';
import type { BulkResult } from './bulk.service';

/** A sensor on which the action failed, and why. */
export interface BulkFailure {
  /** @example "2" */
  sensor_id: string;
  /** @example "the sensor does not exist" */
  error: string;
  /** @example "not_found" */
  code: ErrorCode;
}

/** The result of an action on many sensors. */
export interface BulkResponse {
  /**
   * The number of sensors on which the action was done.
   * @example 2
   */
  done: number;
  /** The sensors on which it was not done. Nothing was changed on these. */
  failed: BulkFailure[];
  /**
   * Only if the trigger cannot work: it reads fields that none of its sensors has, or a notification shows one.
   * @example "no sensor that the trigger is connected to has the field \"lux\", so its expression cannot be evaluated there"
   */
  warning?: string;
}

export function toBulkView({ done, refused, warning }: BulkResult, words: Words): BulkResponse {
  const failed = refused.map(({ sensor, refusal }) => ({
    sensor_id: sensor,
    error: words.said(refusal.message),
    code: refusal.code,
  }));
  return { done, failed, warning };
}
