import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import type { Severity } from '../../edge/severity';
import type { FiringVariables } from '../../notifications';
import type { ResolvedBy } from '../rules/episode';
import type { EpisodeFiring } from './firing-list';
import { type AcknowledgedView, type AssignedView, toAcknowledgedView, toAssignedView } from './firing-people.view';
import type { HeldBy } from './held-by';

/** The cause of a firing. */
export type FiringReason = 'expression' | 'inactivity';

/** Whether the episode of a firing is open. */
export type FiringState = 'firing' | 'resolved';

/** What mutes a trigger on a sensor at present. */
export interface MutedNowView {
  /**
   * When the trigger is no longer muted, in unix seconds, as far as is known now.
   * @example 1795236744
   */
  until: number;
  /**
   * `trigger` if `muted_until` of the trigger on the sensor is in the future, otherwise `mute`: one or more mutes of the owner.
   * @example "trigger"
   */
  by: 'trigger' | 'mute';
}

/** An episode that holds the deliveries of another one. */
export interface HeldByView {
  /**
   * The id of its first firing.
   * @example "200"
   */
  firing_id: string;
  /** @example "4" */
  trigger_id: string;
  /**
   * The present name of the trigger; `null` if it was deleted.
   * @example "gateway offline"
   */
  trigger_name: string | null;
  /** @example "7" */
  sensor_id: string;
  /**
   * When it began, in unix seconds.
   * @example 1795229520
   */
  since: number;
}

/** One firing of a trigger. */
export interface FiringView {
  /** @example "207" */
  id: string;
  /**
   * The user whose trigger fired.
   * @example "1"
   */
  owner_id: string;
  /** @example "ada" */
  owner_username: string | null;
  /**
   * The group that its trigger is shown to at present; `null` for none.
   * @example null
   */
  group_id: string | null;
  /** @example "42" */
  sensor_id: string;
  /**
   * The present name of the sensor, its display name if it has one; `null` if it was deleted.
   * @example "greenhouse"
   */
  sensor_name: string | null;
  /** @example "5" */
  trigger_id: string;
  /**
   * The present name of the trigger; `null` if it was deleted.
   * @example "too warm"
   */
  trigger_name: string | null;
  /**
   * The version of the trigger that fired; `null` for a firing from before triggers had versions.
   * @isInt
   * @example 1
   */
  trigger_version: number | null;
  /** @example "expression" */
  reason: FiringReason;
  /**
   * The expression that was true, as its trigger has it at present; `null` for an inactivity.
   * @example "sensor_data_value > 30"
   */
  expression: string | null;
  /**
   * The seconds without data after which it fired, as its trigger has them at present; `null` for an expression.
   * @isInt
   * @example null
   */
  inactivity: number | null;
  /**
   * The seconds for which the expression had been true when it fired: the `hold` of the trigger at that time. 0 without
   * a hold, and for an inactivity.
   * @isInt
   * @example 0
   */
  hold: number;
  /**
   * Unix seconds.
   * @example 1795229544.8
   */
  date: number;
  /**
   * The variables of the expression at the time of the firing.
   */
  variables: FiringVariables;
  /**
   * The id of the first firing of its episode, which may be its own.
   * @example "207"
   */
  episode: string;
  /**
   * `firing` while its episode lasts, then `resolved`.
   * @example "resolved"
   */
  state: FiringState;
  /**
   * When its episode ended, in unix seconds; `null` while it lasts.
   * @example 1795229844.1
   */
  ended: number | null;
  /**
   * The cause of its end: `data`, the `user` by hand, or an `edit` of the trigger or the sensor; `null` while it lasts.
   * @example "data"
   */
  resolved_by: ResolvedBy | null;
  /**
   * When it was found among late points of a trigger that reports these, in unix seconds; `null` for any other firing.
   * @example null
   */
  reported: number | null;
  /** The acknowledgement of its episode; `null` if there is none. */
  acknowledged: AcknowledgedView | null;
  /** Who takes care of its episode; `null` for nobody. */
  assigned: AssignedView | null;
  /**
   * True if it was recorded and not delivered.
   * @example false
   */
  muted: boolean;
  /** What mutes its trigger on its sensor at present; `null` if nothing does, or its episode has ended. */
  muted_now: MutedNowView | null;
  /** The episode that holds the deliveries of this firing, or held them last; `null` if none did. Only for the owner. */
  held_by: HeldByView | null;
  /**
   * The severity of its trigger at present.
   * @example "warning"
   */
  severity: Severity;
}

/** The response with one firing. */
export interface FiringResponse {
  firing: FiringView;
}

/** The response with a page of firings. */
export interface FiringsResponse extends PageTotal {
  firings: FiringView[];
}

/** For a user who sees them. */
export function toFiringViews(episodes: readonly EpisodeFiring[], userId: number): FiringView[] {
  return episodes.map((episode) => toFiringView(episode, { isOwn: episode.firing.ownerId === userId }));
}

/** An episode from before episodes were recorded counts as ended when it fired. */
export function toFiringView(episode: EpisodeFiring, { isOwn }: { isOwn: boolean }): FiringView {
  const { firing, first, trigger, sensorName, mutedNow, heldBy, usernames } = episode;
  const isInactivity = firing.reason === 'inactivity';
  const isLasting = first?.isLasting ?? false;
  return {
    id: String(firing.id),
    owner_id: String(firing.ownerId),
    owner_username: usernames.get(firing.ownerId) ?? null,
    group_id: trigger.groupId === null ? null : String(trigger.groupId),
    sensor_id: String(firing.sensorId),
    sensor_name: sensorName,
    trigger_id: String(firing.triggerId),
    trigger_name: trigger.name,
    trigger_version: firing.triggerVersion,
    reason: firing.reason as FiringReason, // the column holds nothing else
    expression: isInactivity ? null : trigger.expression,
    inactivity: isInactivity ? trigger.inactivity : null,
    hold: firing.holdS,
    date: toUnixSeconds(firing.firedMs),
    variables: JSON.parse(firing.variables),
    episode: String(firing.episodeId ?? firing.id),
    state: isLasting ? 'firing' : 'resolved',
    ended: isLasting ? null : toUnixSeconds(first?.endedMs ?? firing.firedMs),
    resolved_by: isLasting ? null : ((first?.resolvedBy ?? 'edit') as ResolvedBy), // the column holds nothing else
    reported: toUnixSecondsOrNull(firing.reportedMs),
    acknowledged: first ? toAcknowledgedView(first, usernames, { isOwn }) : null,
    assigned: first ? toAssignedView(first, usernames) : null,
    muted: firing.muted,
    muted_now: mutedNow && { until: toUnixSeconds(mutedNow.untilMs), by: mutedNow.by },
    held_by: toHeldByView(isOwn ? heldBy : null),
    severity: trigger.severity,
  };
}

export function toHeldByView(heldBy: HeldBy | null): HeldByView | null {
  if (heldBy === null) return null;
  const { firingId, triggerId, triggerName, sensorId, sinceMs } = heldBy;
  const ids = { firing_id: String(firingId), trigger_id: String(triggerId), trigger_name: triggerName };
  return { ...ids, sensor_id: String(sensorId), since: toUnixSeconds(sinceMs) };
}
