import { type DateInput, readDate } from '../../edge/dates';
import { parseId } from '../../edge/id';
import type { WeeklyHours } from '../../edge/mute';
import { isTimeZone, TIME_ZONE_RULE } from '../../language/local-time';
import { InvalidInput } from '../../platform/errors';

/** Hours of some days of the week. */
export interface WeeklyInput {
  /**
   * The days on which the hours begin: 0 is Sunday, 6 is Saturday. At least one.
   * @minItems 1
   * @example [0, 1, 2, 3, 4, 5, 6]
   */
  days: number[];
  /**
   * Hours and minutes, from 00:00 to 23:59.
   * @pattern ^([01][0-9]|2[0-3]):[0-5][0-9]$ must be a time from 00:00 to 23:59
   * @example "22:00"
   */
  from: string;
  /**
   * Hours and minutes, not included. Before `from` it is a time of the next day; equal to `from`, it means the whole
   * day.
   * @pattern ^([01][0-9]|2[0-3]):[0-5][0-9]$ must be a time from 00:00 to 23:59
   * @example "06:00"
   */
  to: string;
  /**
   * The time zone of the hours, by its name in the IANA database. Daylight saving is taken into account.
   * @maxLength 64
   * @example "Europe/Amsterdam"
   */
  timezone: string;
}

/** The fields of a mute to change; others keep their values. */
export interface MuteFields {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "quiet hours"
   */
  name?: string;
  /**
   * Unix seconds: from when it applies. 0 is none; with `weekly` none is needed.
   * @minimum 0
   * @maximum 253402300799
   * @example 1795225800
   */
  start?: DateInput;
  /**
   * Unix seconds: until when it applies, not included. 0 is none; with `weekly` none is needed.
   * @minimum 0
   * @maximum 253402300799
   * @example 1826761800
   */
  end?: DateInput;
  /**
   * The only sensors that are muted; all if the list is empty or absent.
   * @example ["42"]
   */
  sensors?: string[];
  /**
   * The only triggers that are muted; all if the list is empty or absent. With `sensors`, both must match.
   * @example ["5"]
   */
  triggers?: string[];
  /** Hours of the week to which it is limited, within `start` and `end` if these are given; `null` removes them. */
  weekly?: WeeklyInput | null;
  /**
   * What happens at its end to what began to fire within it and still fires: `drop` (default), nothing; `deliver`, each
   * notification gets one digest. A change applies to firings from then on.
   * @example "deliver"
   */
  then?: 'drop' | 'deliver';
}

/** A new mute: `start` and `end`, or `weekly`, or all of these. */
export interface NewMuteFields extends MuteFields {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "quiet hours"
   */
  name: string;
}

/** Creates a mute. */
export interface CreateMuteRequest {
  mute: NewMuteFields;
}

/** Changes a mute. */
export interface UpdateMuteRequest {
  mute: MuteFields;
}

/** Reads a mute: null lifts a limit, undefined does not change the field. InvalidInput for what does not exist. */
export function readMute({ name, start, end, sensors, triggers, weekly, then }: MuteFields) {
  return {
    name,
    startMs: start === 0 ? null : start && readDate(start, 'mute.start'),
    endMs: end === 0 ? null : end && readDate(end, 'mute.end'),
    sensors: readIds(sensors, 'sensor'),
    triggers: readIds(triggers, 'trigger'),
    weekly: weekly && readWeekly(weekly),
    deliversAfter: then && then === 'deliver',
  };
}

function readIds(texts: readonly string[] | undefined, kind: 'sensor' | 'trigger') {
  if (texts === undefined) return undefined;
  if (texts.length === 0) return null;
  return texts.map((text, index) => {
    const id = parseId(text);
    if (id === null) throw InvalidInput.field(`mute.${kind}s[${index}]`, `must be the id of a ${kind}`);
    return id;
  });
}

function readWeekly({ days, from, to, timezone }: WeeklyInput): WeeklyHours {
  if (days.length === 0) throw InvalidInput.field('mute.weekly.days', 'must name at least one day');
  days.forEach((day, index) => {
    if (Number.isInteger(day) && day >= 0 && day <= 6) return;
    throw InvalidInput.field(`mute.weekly.days[${index}]`, 'must be a day from 0 (Sunday) to 6 (Saturday)');
  });
  if (!isTimeZone(timezone)) {
    throw InvalidInput.field('mute.weekly.timezone', TIME_ZONE_RULE);
  }
  return { days: [...new Set(days)].sort((a, b) => a - b), from, to, timezone };
}
