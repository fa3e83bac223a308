import { toUnixSeconds } from '../../edge/dates';
import type { Firing } from '../../storage/models/firing.model';
import type { EpisodeFiring } from './firing-list';
import { noteForOthers } from './link-note';

/** The acknowledgement of an episode. */
export interface AcknowledgedView {
  /**
   * Time of the acknowledgement, in unix seconds.
   * @example 1795229604.3
   */
  date: number;
  /**
   * The user who acknowledged it; for a link in a message, the owner of the trigger.
   * @example "1"
   */
  user_id: string;
  /**
   * The name of this user; `null` for a link, and after the account was closed.
   * @example "ada"
   */
  username: string | null;
  /**
   * For a link in a message, the `person` of its notification; `""` if that names nobody. `null` if a user did it.
   * @example null
   */
  person: string | null;
  /**
   * The note of the user; `""` if there is none. For a link it names the message, to the owner of the trigger only.
   * @example "the window is open, I am on my way"
   */
  note: string;
}

/** The user whom an alert is assigned to. */
export interface AssignedView {
  /** @example "2" */
  user_id: string;
  /**
   * `null` after the account was closed.
   * @example "grace"
   */
  username: string | null;
}

type Usernames = EpisodeFiring['usernames'];

export function toAcknowledgedView(
  first: Firing,
  usernames: Usernames,
  { isOwn }: { isOwn: boolean },
): AcknowledgedView | null {
  const { acknowledgedMs, acknowledgedBy, acknowledgedPerson: person } = first;
  if (acknowledgedMs === null || acknowledgedBy === null) return null;
  const username = person === null ? (usernames.get(acknowledgedBy) ?? null) : null;
  const note = isOwn ? (first.note ?? '') : noteForOthers(first.note ?? '');
  return { date: toUnixSeconds(acknowledgedMs), user_id: String(acknowledgedBy), username, person, note };
}

export function toAssignedView({ assignedTo }: Firing, usernames: Usernames): AssignedView | null {
  return assignedTo === null ? null : { user_id: String(assignedTo), username: usernames.get(assignedTo) ?? null };
}
