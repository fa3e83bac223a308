import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import type { Mute } from '../../storage/models/mute.model';

/** Hours of some days of the week. */
export interface WeeklyView {
  /**
   * The days on which the hours begin; 0 is Sunday.
   * @example [0, 1, 2, 3, 4, 5, 6]
   */
  days: number[];
  /** @example "22:00" */
  from: string;
  /** @example "06:00" */
  to: string;
  /** @example "Europe/Amsterdam" */
  timezone: string;
}

/** A time in which firings are recorded and not delivered. */
export interface MuteView {
  /** @example "3" */
  id: string;
  /** @example "quiet hours" */
  name: string;
  /**
   * Unix seconds; `null` if it has always applied.
   * @example 1795225800
   */
  start: number | null;
  /**
   * Unix seconds; `null` if it never ends.
   * @example 1826761800
   */
  end: number | null;
  /**
   * The only sensors that are muted; empty for all. Deleted sensors stay in the list.
   * @example ["42"]
   */
  sensors: string[];
  /**
   * The only triggers that are muted; empty for all. Deleted triggers stay in the list.
   * @example ["5"]
   */
  triggers: string[];
  /** `null` if it is not limited to hours of the week. */
  weekly: WeeklyView | null;
  /**
   * What happens at its end to what still fires: nothing (`drop`), or one digest per notification (`deliver`).
   * @example "deliver"
   */
  then: 'drop' | 'deliver';
  /**
   * The member of a group who made it for an alert of yours; `null` if you made it, or a link in a message.
   * @example null
   */
  created_by: string | null;
  /**
   * Unix seconds.
   * @example 1795200000
   */
  created: number;
}

/** The response with one mute. */
export interface MuteResponse {
  mute: MuteView;
  /**
   * Only if a rule set manages the mute.
   * @example "the rule set cold-store manages this: its next plan shows the change as drift"
   */
  warning?: string;
}

/** The response with a page of mutes. */
export interface MutesResponse extends PageTotal {
  mutes: MuteView[];
}

export function toMuteView(mute: Mute): MuteView {
  return {
    id: String(mute.id),
    name: mute.name,
    start: toUnixSecondsOrNull(mute.startMs),
    end: toUnixSecondsOrNull(mute.endMs),
    sensors: idsIn(mute.sensors),
    triggers: idsIn(mute.triggers),
    weekly: weeklyOf(mute),
    // biome-ignore lint/suspicious/noThenProperty: the field of the API is a text, so nothing awaits it
    then: mute.deliversAfter ? 'deliver' : 'drop',
    created_by: mute.createdBy === null ? null : String(mute.createdBy),
    created: toUnixSeconds(mute.createdMs),
  };
}

function idsIn(list: string | null): string[] {
  const ids: number[] = JSON.parse(list ?? '[]');
  return ids.map(String);
}

function weeklyOf({ days, fromTime, toTime, timezone }: Mute): WeeklyView | null {
  if (days === null || fromTime === null || toTime === null || timezone === null) return null;
  return { days: JSON.parse(days), from: fromTime, to: toTime, timezone };
}
