import type { Commit } from '../database/simulated-database';
import type { Row } from '../database/sql-syntax';
import type { History, Link, Span } from '../history';
import { added, removedPoints, written } from './commits';

/** Promised while a worker is alive. */
const LATE_MS = 2_000;
/** After a fault: locks of jobs expire, other processes take over, runs of the reconciler are rescheduled. */
const RECOVERY_MS = 15_000;
/** In the worst case: a paused process that has locked a row for which others wait. */
const WORST_MS = 75_000;
const MINUTE_MS = 60_000;
/** A shorter gap counts as inactivity, as documented. */
const SHORT_OUTAGE_MS = 3_000;

/** The state of one inactivity while its commits are examined. */
interface Inactivity {
  /** Its start: an arrival, or after a firing the time that the platform stored. */
  sinceMs: number;
  /** The latest time of the next firing, by the outages that the platform stored. */
  dueMs: number;
  lastTriggeredMs: number;
  /** Whether it has fired and no data has come since. */
  isEpisode: boolean;
}

/** A trigger fires for each complete inactivity, never early and hardly late; outages do not count as inactivity. */
export function judgeInactivities(history: History): string[] {
  return history.links.flatMap((link) => {
    const { inactivity } = link.rule;
    return inactivity === null ? [] : judgeLink(history, link, inactivity * 1000);
  });
}

function judgeLink(history: History, link: Link, periodMs: number): string[] {
  const faults: string[] = [];
  const recorded = history.rows('outages').map((row) => ({ fromMs: Number(row.from_ms), toMs: Number(row.to_ms) }));
  const long = merged(history.outages.filter(({ fromMs, toMs }) => toMs - fromMs > SHORT_OUTAGE_MS));
  const { repeat } = link.rule;
  const lengthOf = (isEpisode: boolean) => {
    if (!isEpisode || repeat === null) return periodMs;
    return repeat === 0 ? Number.POSITIVE_INFINITY : repeat * 1000;
  };
  const dueAfter = (fromMs: number, isEpisode: boolean) => endOf(fromMs, lengthOf(isEpisode), recorded);
  const dueMs = dueAfter(link.sinceMs, false);
  const inactivity: Inactivity = { sinceMs: link.sinceMs, dueMs, lastTriggeredMs: 0, isEpisode: false };
  for (const commit of history.commits) {
    const arrivals = arrivalsOf(commit, link);
    const firing = added(commit, 'firings').find((row) => row.sensor_trigger_id === link.sensorTriggerId);
    if (arrivals.length === 0 && !firing) continue;
    const nextSinceMs = sinceAfter(commit, link);
    const observed = { arrivals, firing, nextSinceMs, lengthOf, long, dueAfter };
    const why = whyWrong(history, inactivity, observed);
    if (why) faults.push(`inactivity of sensor trigger ${link.sensorTriggerId}: ${why}`);
    follow(inactivity, observed);
  }
  const lastDueMs = Math.max(inactivity.dueMs, minuteAfter(inactivity));
  if (lastDueMs + WORST_MS < history.activeUntilMs) {
    faults.push(`inactivity of sensor trigger ${link.sensorTriggerId}: due at ${lastDueMs} but never fired`);
  }
  return faults;
}

interface Observed {
  arrivals: number[];
  firing: Row | undefined;
  /** The start of the next inactivity, as stored with the firing. */
  nextSinceMs: number;
  /** Until it fires, or fires again. */
  lengthOf: (isEpisode: boolean) => number;
  long: Span[];
  dueAfter: (fromMs: number, isEpisode: boolean) => number;
}

function whyWrong(history: History, inactivity: Inactivity, observed: Observed): string | null {
  const { arrivals, firing, nextSinceMs, lengthOf, long, dueAfter } = observed;
  const starts = [inactivity.sinceMs, ...arrivals.filter((ms) => ms > inactivity.sinceMs)];
  const dues = starts.map((ms, index) =>
    Math.max(index === 0 ? inactivity.dueMs : dueAfter(ms, false), minuteAfter(inactivity)),
  );
  const complete = dues.find((dueMs, index) => dueMs <= (starts[index + 1] ?? Number.NEGATIVE_INFINITY));
  if (firing?.reason !== 'inactivity') return complete === undefined ? null : `complete at ${complete} but not fired`;
  const firedMs = Number(firing.fired_ms);
  // Data that was handled late may have ended one period and begun the one that is complete.
  const ends = starts.map((fromMs, index) => endOf(fromMs, lengthOf(index === 0 && inactivity.isEpisode), long));
  const isComplete = ends.some((endMs, index) => endMs <= (starts[index + 1] ?? firedMs));
  if (!isComplete) return `fired early at ${firedMs}: it began at ${starts}`;
  // The next period begins at the end of this one, or now, or with data.
  if (!starts.includes(nextSinceMs) && (nextSinceMs > firedMs || ends.every((endMs) => endMs > nextSinceMs))) {
    return `fired at ${firedMs}, and the next period begins at ${nextSinceMs}`;
  }
  return lateness(history, complete ?? dues[dues.length - 1] ?? firedMs, firedMs);
}

/** Why a decision that was due came too late, or null: faults and outages delay it. */
export function lateness(
  { incidents, outages }: History,
  dueMs: number,
  decidedMs: number,
  promiseMs = LATE_MS,
): string | null {
  const disturbances = [...incidents, ...outages].filter(
    ({ fromMs, toMs }) => fromMs <= decidedMs && toMs + RECOVERY_MS >= dueMs,
  );
  const limitMs = disturbances.length === 0 ? promiseMs : WORST_MS;
  const fromMs = Math.max(dueMs, ...disturbances.map(({ toMs }) => toMs));
  return decidedMs <= fromMs + limitMs ? null : `due at ${dueMs} but fired late at ${decidedMs}`;
}

function follow(inactivity: Inactivity, { arrivals, firing, nextSinceMs, dueAfter }: Observed): void {
  if (firing) inactivity.lastTriggeredMs = Number(firing.fired_ms);
  const sinceMs = firing?.reason === 'inactivity' ? nextSinceMs : Math.max(inactivity.sinceMs, ...arrivals);
  // Data of the very ms in which an episode's period begins ends it.
  if (!arrivals.includes(sinceMs) && firing?.reason !== 'inactivity') return;
  // Data may have come after the firing, in the same commit.
  const isEpisode = firing?.reason === 'inactivity' && !arrivals.includes(sinceMs);
  Object.assign(inactivity, { sinceMs, isEpisode, dueMs: dueAfter(sinceMs, isEpisode) });
}

function sinceAfter(commit: Commit, { sensorTriggerId }: Link): number {
  return Number(written(commit, 'sensor_triggers').find((row) => row.id === sensorTriggerId)?.inactive_since_ms);
}

function arrivalsOf(commit: Commit, { sensorId }: Link): number[] {
  return removedPoints(commit)
    .filter((point) => point.sensorId === sensorId)
    .map(({ receivedMs }) => receivedMs)
    .sort((a, b) => a - b);
}

function minuteAfter({ lastTriggeredMs }: Inactivity): number {
  return lastTriggeredMs === 0 ? 0 : lastTriggeredMs + MINUTE_MS;
}

/** The time at which so much time has passed since then, without outages. */
function endOf(fromMs: number, lengthMs: number, outages: readonly Span[]): number {
  let endMs = fromMs + lengthMs;
  for (const outage of merged(outages)) {
    if (outage.toMs <= fromMs || outage.fromMs >= endMs) continue;
    endMs += outage.toMs - Math.max(outage.fromMs, fromMs);
  }
  return endMs;
}

function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = result.at(-1);
    if (last && span.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, span.toMs);
    else result.push({ ...span });
  }
  return result;
}
