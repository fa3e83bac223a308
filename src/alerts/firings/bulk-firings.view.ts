import type { ErrorCode } from '../../platform/error-code';
import type { Words } from '../../platform/words/words';
import type { BulkFiringsResult } from './bulk-firings.service';

/** A firing on which the action failed, and why. */
export interface BulkFiringFailure {
  /** @example "208" */
  firing_id: string;
  /** @example "the episode has ended" */
  error: string;
  /** @example "conflict" */
  code: ErrorCode;
}

/** The result of an action on many firings. */
export interface BulkFiringsResponse {
  /**
   * The number of firings on which the action was done.
   * @example 2
   */
  done: number;
  /** The firings on which it was not done. Nothing was changed on these. */
  failed: BulkFiringFailure[];
  /**
   * Only if more open alerts match the filter: the same request continues, if its action changes what matches.
   * @example true
   */
  more?: boolean;
}

export function toBulkFiringsView({ done, refused, more }: BulkFiringsResult, words: Words): BulkFiringsResponse {
  const failed = refused.map(({ firing, refusal }) => ({
    firing_id: firing,
    error: words.said(refusal.message),
    code: refusal.code,
  }));
  return { done, failed, ...(more && { more }) };
}
