import { InvalidInput } from '../../platform/errors';
import type { DateInput } from '../formats/dates';
import { readFiringFilter } from './firings.request';

/** Which open alerts are meant: the filters of `GET /firings`. */
export interface BulkFiringsFilter {
  /** @example false */
  acknowledged?: boolean;
  /** @example "42" */
  sensor_id?: string;
  /** @example "5" */
  trigger_id?: string;
  /**
   * Unix seconds: the earliest firing, inclusive.
   * @example 1795219200
   */
  start_date?: DateInput;
  /**
   * Unix seconds: the latest firing, inclusive.
   * @example 1795305600
   */
  end_date?: DateInput;
}

/** Acknowledges. */
export interface BulkAcknowledge {
  /**
   * @maxLength 1000
   * @example "the cooling is being repaired"
   */
  note?: string;
}

/** Ends by hand. It has no fields. */
export interface BulkResolve {
  [field: string]: unknown;
}

/** Exactly one of these. */
export interface BulkFiringActions {
  acknowledge?: BulkAcknowledge;
  resolve?: BulkResolve;
}

/** One action on many firings, which are named by their ids or by a filter. */
export interface BulkFiringsRequest {
  /**
   * @minItems 1
   * @maxItems 500
   * @example ["207"]
   */
  firings?: string[];
  /** Your open alerts that match; `{}` for all. */
  filter?: BulkFiringsFilter;
  /** @example {"acknowledge": {"note": "the cooling is being repaired"}} */
  action: BulkFiringActions;
}

/** InvalidInput unless the request names its firings in exactly one way, and one action. */
export function readBulkFirings({ firings, filter, action }: BulkFiringsRequest) {
  if (firings && filter) throw InvalidInput.field('filter', 'must not be given together with firings');
  if (!firings && !filter) throw InvalidInput.field('firings', 'is required without filter');
  const selection = firings ? { ids: firings } : { filter: readFiringFilter({ ...filter, state: 'firing' }) };
  const { acknowledge, resolve } = action;
  if ((acknowledge === undefined) === (resolve === undefined)) {
    throw InvalidInput.field('action', 'must be exactly one of acknowledge, resolve');
  }
  const read = acknowledge ? { kind: 'acknowledge' as const, note: acknowledge.note } : { kind: 'resolve' as const };
  return { selection, action: read };
}
