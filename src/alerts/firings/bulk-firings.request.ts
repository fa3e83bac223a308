import { SAY_ALL } from '../../access/find-filter';
import { type DateInput, readDate } from '../../edge/dates';
import type { Severity } from '../../edge/severity';
import { InvalidInput } from '../../platform/errors';
import type { BulkFiringAction } from './bulk-firing-action';
import { readFiringFilter } from './firings.request';

/** Which open alerts are meant, of those that you may handle: the filters of `GET /firings`. */
export interface BulkFiringsFilter {
  /** @example false */
  acknowledged?: boolean;
  /** @example "42" */
  sensor_id?: string;
  /** @example "5" */
  trigger_id?: string;
  /** @example "3" */
  group_id?: string;
  /** @example "warning" */
  severity?: Severity;
  /**
   * A text in the name of the trigger or the sensor.
   * @maxLength 255
   * @example "freezer"
   */
  search?: string;
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

/** Mutes the trigger of each firing on its sensor, from now on. */
export interface BulkMuteFirings {
  /**
   * Unix seconds: when the mute ends.
   * @example 1795236744
   */
  end: DateInput;
}

/** Exactly one of these. */
export interface BulkFiringActions {
  acknowledge?: BulkAcknowledge;
  resolve?: BulkResolve;
  mute?: BulkMuteFirings;
}

/** One action on many firings, which are named by their ids, by a filter, or as all. Unknown keys are refused. */
export interface BulkFiringsRequest {
  /**
   * @minItems 1
   * @maxItems 500
   * @example ["207"]
   */
  firings?: string[];
  /** The open alerts that match. It has at least one field. */
  filter?: BulkFiringsFilter;
  /**
   * `true`, instead of `firings` or `filter`, names all open alerts that you may handle.
   * @example false
   */
  all?: boolean;
  /** @example {"acknowledge": {"note": "the cooling is being repaired"}} */
  action: BulkFiringActions;
}

/** InvalidInput unless the request names its firings in exactly one way, and one action. */
export function readBulkFirings({ firings, filter, all, action }: BulkFiringsRequest) {
  if (firings && filter) throw InvalidInput.field('filter', 'must not be given together with firings');
  if (firings && all) throw InvalidInput.field('all', 'must not be given together with firings');
  if (firings) return { selection: { ids: firings }, action: readAction(action) };
  const isEmpty = Object.entries(filter ?? {}).every(([name, value]) => name.endsWith('_date') && value === 0);
  if (!filter && !all) throw InvalidInput.field('firings', `is required without filter; ${SAY_ALL}`);
  if (isEmpty && !all) throw InvalidInput.field('filter', `has no field; ${SAY_ALL}`);
  if (!isEmpty && all) throw InvalidInput.field('all', 'must not be given together with a filter');
  const selection = { filter: readFiringFilter({ ...filter, state: 'firing' }) };
  return { selection, action: readAction(action) };
}

function readAction({ acknowledge, resolve, mute }: BulkFiringActions): BulkFiringAction {
  if ([acknowledge, resolve, mute].filter((one) => one !== undefined).length !== 1) {
    throw InvalidInput.field('action', 'must be exactly one of acknowledge, resolve, mute');
  }
  if (acknowledge) return { kind: 'acknowledge', note: acknowledge.note };
  return mute ? { kind: 'mute', endMs: readDate(mute.end, 'action.mute.end') } : { kind: 'resolve' };
}
