import { type LocalTime, localTimeIn } from './local-time';

/** Hours of some days of the week, by the clocks of a time zone. */
export interface WeeklyHours {
  /** Days of the week on which the hours begin; 0 is Sunday. */
  days: readonly number[];
  /** `HH:MM`, included. */
  from: string;
  /** `HH:MM`, not included; on the next day if it is before `from`. Equal to `from`, it means the whole day. */
  to: string;
  /** A name of the IANA database. */
  timezone: string;
}

/** A time in which firings of a user's triggers are recorded and not delivered. */
export interface Mute {
  /** Start; null if it has always applied. */
  startMs: number | null;
  /** End, not included; null if it never ends. */
  endMs: number | null;
  /** The sensors that it covers; null for all sensors of its owner. */
  sensors: ReadonlySet<number> | null;
  /** The triggers that it covers; null for all. With sensors, both must match. */
  triggers: ReadonlySet<number> | null;
  /** Only these hours of the week, between start and end; null for the whole time. */
  weekly: WeeklyHours | null;
}

/** A trigger on a sensor at a moment. */
export interface MutedMoment {
  sensorId: number;
  triggerId: number;
  atMs: number;
}

const LAST_DAY = 6;

/** True if one of these mutes, all of the trigger's owner, covers a trigger on a sensor at a moment. */
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

/** By the local clock: an hour that the clock repeats is within both times, and a night can last 7 or 9 hours. */
function isWithin({ days, from, to }: WeeklyHours, { day, time }: LocalTime): boolean {
  if (from === to) return days.includes(day);
  const begins = days.includes(day) && from <= time;
  if (from < to) return begins && time < to;
  const dayBefore = day === 0 ? LAST_DAY : day - 1;
  return begins || (days.includes(dayBefore) && time < to);
}
