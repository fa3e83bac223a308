import { toUnixSeconds } from '../edge/dates';
import type { Archive, ArchiveState } from '../storage/models/archive.model';

/** What exports and imports have in common. */
export interface ArchiveView {
  /** @example "7" */
  id: string;
  /**
   * `waiting` for a worker, `running`, `done`, `failed`, or `cancelled`.
   * @example "done"
   */
  state: ArchiveState;
  /**
   * When it was asked for, in unix seconds.
   * @example 1795229544.125
   */
  created: number;
  /**
   * When it is forgotten, a day later.
   * @example 1795315944.125
   */
  ends: number;
  /**
   * Why it failed; `""` if it did not.
   * @example ""
   */
  error: string;
  /**
   * The entry of the file that the error is about; `""` for none.
   * @example ""
   */
  entry: string;
}

export function toArchiveView({ id, state, createdMs, endsMs, error, entry }: Archive): ArchiveView {
  const dates = { created: toUnixSeconds(createdMs), ends: toUnixSeconds(endsMs) };
  return { id: String(id), state, ...dates, error: error ?? '', entry: entry ?? '' };
}
