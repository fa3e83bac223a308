import { type LocalTime, localTimeIn } from './local-time';

/** Hours of some days of the week, by the clocks of a time zone. */
export interface WeeklyHours {
  /** Days of the week on which they begin; 0 is Sunday. */
  days: readonly number[];
  /** `HH:MM`, included. */
  from: string;
  /** `HH:MM`, not included: on the next day where it is before `from`; equal to `from`, the whole day is meant. */
  to: string;
  /** A name of the IANA database. */
  timezone: string;
}

/** A time in which what the triggers of a user find is recorded and not delivered. */
export interface Mute {
  /** From when; null where it has always begun. */
  startMs: number | null;
  /** Until when, not included; null where it never ends. */
  endMs: number | null;
  /** The only sensors that it is about; null for all of its owner. */
  sensors: ReadonlySet<number> | null;
  /** The only triggers; null for all. With sensors, both must match. */
  triggers: ReadonlySet<number> | null;
  /** Only in these hours of the week, between start and end; null for all of that time. */
  weekly: WeeklyHours | null;
}

/** A trigger on a sensor at a moment. */
export interface MutedMoment {
  sensorId: number;
  triggerId: number;
  atMs: number;
}

const LAST_DAY = 6;

/** Whether one of these mutes, all of the trigger's owner, applies to a trigger on a sensor at a moment. */
export function isMuted(mutes: readonly Mute[], { sensorId, triggerId, atMs }: MutedMoment): boolean {
  return mutes.some(
    ({ startMs, endMs, sensors, triggers, weekly }) =>
      (startMs === null || startMs <= atMs) &&
      (endMs === null || atMs < endMs) &&
      (sensors === null || sensors.has(sensorId)) &&
      (triggers === null || triggers.has(triggerId)) &&
      (weekly === null || isWithin(weekly, localTimeIn(weekly.timezone, atMs))),
  );
}

/** By what clocks show: an hour that they repeat is within both times, and a night can last 7 or 9 hours. */
function isWithin({ days, from, to }: WeeklyHours, { day, time }: LocalTime): boolean {
  if (from === to) return days.includes(day);
  const begins = days.includes(day) && from <= time;
  if (from < to) return begins && time < to;
  const dayBefore = day === 0 ? LAST_DAY : day - 1;
  return begins || (days.includes(dayBefore) && time < to);
}
