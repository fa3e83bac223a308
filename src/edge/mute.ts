import { type LocalTime, localTimeIn } from '../language/local-time';

/** The clocks are those of a time zone. */
export interface WeeklyHours {
  /** Days on which the hours begin; 0 is Sunday. */
  days: readonly number[];
  /** `HH:MM`, included. */
  from: string;
  /** `HH:MM`, not included; on the next day if before `from`. Equal to `from`: the whole day. */
  to: string;
  /** A name of the IANA database. */
  timezone: string;
}

/** A time in which firings are recorded and not delivered. */
export interface Mute {
  /** Null if it has always applied. */
  startMs: number | null;
  /** Not included; null if it never ends. */
  endMs: number | null;
  /** Null for all sensors of its owner. */
  sensors: ReadonlySet<number> | null;
  /** Null for all. With sensors, both must match. */
  triggers: ReadonlySet<number> | null;
  /** Null for the whole time between start and end. */
  weekly: WeeklyHours | null;
  /** What begins to fire within it is delivered at its end, if it still fires then. */
  deliversAfter: boolean;
}

export interface MutedMoment {
  sensorId: number;
  triggerId: number;
  atMs: number;
}

const LAST_DAY = 6;
const MINUTE_MS = 60_000;
const MINUTES_OF_A_DAY = 1_440;

/** All mutes belong to the trigger's owner. */
export function isMuted(mutes: readonly Mute[], { sensorId, triggerId, atMs }: MutedMoment): boolean {
  return mutes.some((mute) => covers(mute, { sensorId, triggerId, atMs }));
}

export interface Muting {
  mutes: readonly Mute[];
  mutedUntilMs: number | null;
}

/**
 * The moment itself if no mute covers it. Ask again then: another mute may cover that time, and weekly hours may last
 * longer when the clocks change.
 */
export function muteEndMs({ mutes, mutedUntilMs }: Muting, moment: MutedMoment): number {
  let endMs = Math.max(moment.atMs, mutedUntilMs ?? 0);
  for (const mute of mutes) if (covers(mute, moment)) endMs = Math.max(endMs, endOf(mute, moment.atMs));
  return endMs;
}

/** The end of all covering mutes, if one of them delivers what still fires then. */
export function deferral(muting: Muting, moment: MutedMoment): { deferredUntilMs?: number } {
  if (!muting.mutes.some((mute) => mute.deliversAfter && covers(mute, moment))) return {};
  return { deferredUntilMs: muteEndMs(muting, moment) };
}

function covers(
  { startMs, endMs, sensors, triggers, weekly }: Mute,
  { sensorId, triggerId, atMs }: MutedMoment,
): boolean {
  return (
    (startMs === null || startMs <= atMs) &&
    (endMs === null || atMs < endMs) &&
    (sensors === null || sensors.has(sensorId)) &&
    (triggers === null || triggers.has(triggerId)) &&
    (weekly === null || endOfWeekly(weekly, atMs) !== null)
  );
}

function endOf({ endMs, weekly }: Mute, atMs: number): number {
  const lastMs = endMs ?? Number.MAX_SAFE_INTEGER;
  return weekly === null ? lastMs : Math.min(lastMs, endOfWeekly(weekly, atMs) ?? lastMs);
}

/** A pass or a page asks for one moment, on many sensors. */
const lastAsked = new WeakMap<WeeklyHours, { atMs: number; endMs: number | null }>();

function endOfWeekly(weekly: WeeklyHours, atMs: number): number | null {
  const last = lastAsked.get(weekly);
  if (last?.atMs === atMs) return last.endMs;
  const isCovered = isWithin(weekly, localTimeIn(weekly.timezone, atMs));
  const endMs = isCovered ? endOfHours(weekly, atMs) : null;
  lastAsked.set(weekly, { atMs, endMs });
  return endMs;
}

/** Exact to the minute; never after the end, and before it where the clock goes back. */
function endOfHours(weekly: WeeklyHours, atMs: number): number {
  const { from, to, timezone } = weekly;
  const end = from === to ? '00:00' : to;
  const minuteMs = atMs - (atMs % MINUTE_MS);
  const left = minutesBetween(localTimeIn(timezone, atMs).time, end) || MINUTES_OF_A_DAY;
  const latestMs = minuteMs + left * MINUTE_MS;
  // Where the clock goes forward, the end comes that much earlier; at the change itself if the clock skips that time.
  const over = minutesBetween(end, localTimeIn(timezone, latestMs).time);
  const early = over < MINUTES_OF_A_DAY / 2 ? over : 0;
  let endMs = Math.max(latestMs - early * MINUTE_MS, minuteMs + MINUTE_MS);
  while (endMs < latestMs && isWithin(weekly, localTimeIn(timezone, endMs))) endMs += MINUTE_MS;
  return endMs;
}

/** Returns 0 to 1,439. */
function minutesBetween(from: string, to: string): number {
  return (minutesOf(to) - minutesOf(from) + MINUTES_OF_A_DAY) % MINUTES_OF_A_DAY;
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** The local clock counts: a repeated hour is within both times, and a night can last 7 or 9 hours. */
function isWithin({ days, from, to }: WeeklyHours, { day, time }: LocalTime): boolean {
  if (from === to) return days.includes(day);
  const begins = days.includes(day) && from <= time;
  if (from < to) return begins && time < to;
  const dayBefore = day === 0 ? LAST_DAY : day - 1;
  return begins || (days.includes(dayBefore) && time < to);
}
