import type { WaitingPoint } from '../../../src/points/inbox/inbox-batch';
import type { Commit } from '../database/simulated-database';
import type { Row } from '../database/sql-syntax';
import type { History, Link, Rule } from '../history';
import { Gate } from '../located';
import { isUndated } from '../upload-plans';
import { added, addedPoints, nameOf, removedPoints, written } from './commits';
import { States } from './states';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The state of a sensor trigger, as far as it depends on points. */
interface LastState {
  lastDateMs: number | null;
  lastValue: string | null;
  lastTriggeredMs: number;
  times: number;
  pendingSinceMs: number | null;
  /** Of the episode of the expression: its first firing and its last. */
  episodeMs: number | null;
  episodeFiredMs: number | null;
  isAcknowledged: boolean;
  /** Date since which the condition of that episode is over, and when the clock decides unless a point does before. */
  clearSinceMs: number | null;
  dueMs: number | null;
}

interface Outcome extends LastState {
  firedBy: string | null;
}

/** Every accepted point is stored and enters the inbox in the same commit. */
export function judgeUploads({ uploads, commits, links, rows }: History): string[] {
  const faults: string[] = [];
  const stored = new Map(rows('data_points').map((row) => [`${row.sensor_id} ${row.date_ms}`, row.value]));
  // A point that comes with the date of one that the server has dated replaces it.
  const everStored = new Set(
    commits.flatMap((commit) => written(commit, 'data_points').map((row) => `${row.sensor_id} ${row.value}`)),
  );
  for (const { sensorId, points, answeredMs } of uploads) {
    for (const { dateMs, value } of points) {
      const isStored =
        dateMs === undefined ? everStored.has(`${sensorId} ${value}`) : stored.get(`${sensorId} ${dateMs}`) === value;
      if (isStored) continue;
      faults.push(`the point ${value} of sensor ${sensorId}, accepted at ${answeredMs}, is not stored`);
    }
  }
  const listening = new Set(links.map(({ sensorId }) => sensorId));
  for (const commit of commits) {
    const waiting = new Set(addedPoints(commit).map(({ sensorId, dateMs }) => `${sensorId} ${dateMs}`));
    for (const row of written(commit, 'data_points')) {
      if (!listening.has(Number(row.sensor_id)) || waiting.has(`${row.sensor_id} ${row.date_ms}`)) continue;
      faults.push(`a point of sensor ${row.sensor_id} was stored without waiting for its triggers (${nameOf(commit)})`);
    }
  }
  return faults;
}

/** What the server dates it dates apart: each later than all that it has dated for the sensor before, in the order of the commits. */
export function judgeServerDates({ commits }: History): string[] {
  const faults: string[] = [];
  const latest = new Map<unknown, number>();
  for (const commit of commits) {
    const given = written(commit, 'data_points').filter((row) => isUndated(String(row.value)));
    for (const row of given.sort((a, b) => Number(a.date_ms) - Number(b.date_ms))) {
      const before = latest.get(row.sensor_id) ?? 0;
      if (Number(row.date_ms) <= before)
        faults.push(
          `the server dated a point of sensor ${row.sensor_id} at ${row.date_ms}, not after ${before} (${nameOf(commit)})`,
        );
      latest.set(row.sensor_id, Number(row.date_ms));
    }
    const replaced = commit.changes.filter(
      ({ table, before, after }) => table === 'data_points' && before && after && isUndated(String(after.value)),
    );
    if (replaced.length > 0) faults.push(`a point without a date has replaced another (${nameOf(commit)})`);
  }
  return faults;
}

/**
 * Every point is evaluated once and in order: each commit changes a sensor trigger exactly as the points that it
 * removes from the inbox require, and stores the firings that they cause.
 */
export function judgePoints({ links, commits }: History): string[] {
  const faults: string[] = [];
  const lastStates = new Map<number, LastState>();
  const states = new States();
  const gate = new Gate();
  for (const commit of commits) {
    const points = removedPoints(commit).sort((a, b) => a.dateMs - b.dateMs);
    const rows = new Set(written(commit, 'sensor_triggers').map((row) => Number(row.id)));
    const isChanged = states.follow(commit);
    const firings = added(commit, 'firings');
    gate.follow(commit);
    for (const link of links) {
      const before = lastStates.get(link.sensorTriggerId);
      const state = isChanged ? states.of(link.sensorTriggerId) : undefined;
      if (isChanged && !state) lastStates.delete(link.sensorTriggerId); // a selector has disconnected it
      if (isChanged && !state) continue;
      const after = state ? lastStateOf(state) : before;
      if (after) lastStates.set(link.sensorTriggerId, after);
      const own = points.filter(({ sensorId }) => sensorId === link.sensorId);
      const fired = firings.filter((row) => row.sensor_trigger_id === link.sensorTriggerId);
      if (
        !before ||
        !after ||
        (own.length === 0 && !rows.has(link.sensorTriggerId) && isSame(before, after) && fired.length === 0)
      )
        continue;
      const known = edited(commit, link, before);
      const why = whyWrong(link, known, after, { commit, points: own, fired, isGateHere: gate.isHere });
      if (why) faults.push(`sensor trigger ${link.sensorTriggerId}: ${why} (${nameOf(commit)})`);
    }
  }
  return faults;
}

interface Examined {
  commit: Commit;
  points: WaitingPoint[];
  fired: Row[];
  isGateHere: boolean;
}

function whyWrong(
  { rule }: Link,
  before: LastState,
  after: LastState,
  { commit, points, fired, isGateHere }: Examined,
): string | null {
  const [firing, second] = fired;
  if (second) return 'two firings in one commit';
  const firedMs = firing ? Number(firing.fired_ms) : null;
  const known =
    firing?.reason === 'inactivity' ? { ...before, times: before.times + 1, lastTriggeredMs: firedMs ?? 0 } : before;
  const by = firing?.reason === 'expression' ? String(JSON.parse(String(firing.variables)).sensor_data_value) : null;
  const actual: Outcome = { ...after, firedBy: by };
  // The pass read the clock at some moment in between.
  const moments = firedMs === null ? momentsOf(commit, rule, known, points) : [firedMs];
  // The pass may have read what is due before this was.
  const expected = moments.flatMap((nowMs) =>
    [true, false].map((readsDue) => evaluate(rule, known, points, { nowMs, readsDue, isGateHere })),
  );
  if (expected.some((outcome) => JSON.stringify(outcome) === JSON.stringify(actual))) return null;
  const given = points.map(({ value, dateMs }) => `${value} of ${dateMs}`).join(', ') || 'no points';
  return `from ${JSON.stringify(before)}, ${given} made ${JSON.stringify(actual)} instead of ${JSON.stringify(expected[0])}`;
}

/** One moment of each period of the commit in which the clock decides in the same way. */
function momentsOf(
  { beganMs, atMs }: Commit,
  { repeat, hold, keepFiringFor }: Rule,
  before: LastState,
  points: readonly WaitingPoint[],
): number[] {
  const turning = [
    ...points.map(({ dateMs }) => dateMs - HOUR_MS),
    before.lastTriggeredMs + MINUTE_MS,
    before.dueMs ?? 0,
    ...points.map(({ dateMs, receivedMs }) => clockOf(dateMs, receivedMs) + Math.max(hold, keepFiringFor) * 1000),
    (before.episodeFiredMs ?? 0) + (repeat ?? 0) * 1000,
  ];
  const between = turning.filter((ms) => ms > beganMs && ms <= atMs);
  return [beganMs, ...between, atMs];
}

function evaluate(
  rule: Rule,
  before: LastState,
  points: readonly WaitingPoint[],
  { nowMs, readsDue, isGateHere }: { nowMs: number; readsDue: boolean; isGateHere: boolean },
): Outcome {
  const state: Outcome = { ...before, firedBy: null };
  for (const { dateMs, receivedMs, value } of points) {
    if (state.dueMs !== null && state.dueMs < Math.min(dateMs, receivedMs)) decideByClock(state, nowMs);
    const isAgain = dateMs === state.lastDateMs && (state.lastValue === null || value === state.lastValue);
    const isOlder = isAgain || (state.lastDateMs !== null && dateMs < state.lastDateMs);
    // The last one was of a clock that was more than a minute ahead, and this one is of the last minute.
    const wasAhead = (state.lastDateMs ?? 0) - receivedMs > MINUTE_MS;
    const isPresent = dateMs <= receivedMs && dateMs >= receivedMs - MINUTE_MS;
    if ((isOlder && !isUndated(value) && !(wasAhead && isPresent)) || dateMs - nowMs > HOUR_MS) continue;
    const holds = rule.expression === null ? undefined : rule.holds(value, state.lastValue, isGateHere);
    state.lastDateMs = dateMs;
    state.lastValue = value;
    const clockMs = clockOf(dateMs, receivedMs);
    if (holds === false) becomeFalse(rule, state, dateMs, clockMs);
    if (holds === true && mayFire(rule, state, { dateMs, clockMs, nowMs })) fire(state, nowMs);
  }
  if (readsDue) decideByClock(state, nowMs);
  return state;
}

/** The state after what a user has done to the episode of the expression in this commit. */
function edited({ changes }: Commit, { sensorTriggerId }: Link, state: LastState): LastState {
  const own = changes.filter(
    ({ table, before, after }) =>
      table === 'firings' && before && after?.sensor_trigger_id === sensorTriggerId && after.reason === 'expression',
  );
  if (own.some(({ before, after }) => before?.resolved_by === null && after?.resolved_by === 'user')) {
    return { ...state, ...OVER };
  }
  const isAcknowledged = own.some(
    ({ before, after }) => before?.acknowledged_ms === null && after?.acknowledged_ms !== null,
  );
  return isAcknowledged ? { ...state, isAcknowledged } : state;
}

const CALM = { pendingSinceMs: null, clearSinceMs: null, dueMs: null };
const OVER = { ...CALM, episodeMs: null, episodeFiredMs: null, isAcknowledged: false };

/** The time of a point by the server's clock: its date, if that is of the last minute. */
function clockOf(dateMs: number, receivedMs: number): number {
  return dateMs > receivedMs || receivedMs - dateMs > MINUTE_MS ? receivedMs : dateMs;
}

function decideByClock(state: Outcome, nowMs: number): void {
  if (state.dueMs === null || state.dueMs > nowMs) return;
  const minuteEndsMs = state.lastTriggeredMs + MINUTE_MS;
  if (state.episodeMs !== null) Object.assign(state, OVER);
  else if (state.lastTriggeredMs > 0 && nowMs < minuteEndsMs) state.dueMs = minuteEndsMs;
  else fire(state, nowMs);
}

function fire(state: Outcome, nowMs: number): void {
  const episodeMs = state.episodeMs ?? nowMs;
  Object.assign(state, { ...CALM, episodeMs, episodeFiredMs: nowMs, lastTriggeredMs: nowMs });
  state.times += 1;
  state.firedBy = state.lastValue;
}

function becomeFalse({ keepFiringFor }: Rule, state: Outcome, dateMs: number, clockMs: number): void {
  if (state.episodeMs === null) Object.assign(state, OVER);
  else {
    if (state.clearSinceMs === null) state.dueMs = clockMs + keepFiringFor * 1000;
    state.clearSinceMs ??= dateMs;
    if (dateMs - state.clearSinceMs >= keepFiringFor * 1000) Object.assign(state, OVER);
  }
}

/** Whether a true point fires; it may begin to be pending, and the end of an episode is off. */
function mayFire(
  { hold, repeat }: Rule,
  state: Outcome,
  { dateMs, clockMs, nowMs }: { dateMs: number; clockMs: number; nowMs: number },
): boolean {
  const isWithinTheMinute = state.lastTriggeredMs > 0 && nowMs - state.lastTriggeredMs < MINUTE_MS;
  if (state.episodeFiredMs !== null) {
    Object.assign(state, CALM);
    const isHeldBack =
      state.isAcknowledged || (repeat !== null && (repeat === 0 || nowMs - state.episodeFiredMs < repeat * 1000));
    return !isHeldBack && !isWithinTheMinute;
  }
  if (state.pendingSinceMs === null) {
    state.dueMs = Math.max(clockMs + hold * 1000, isWithinTheMinute ? state.lastTriggeredMs + MINUTE_MS : 0);
  }
  state.pendingSinceMs ??= dateMs;
  return dateMs - state.pendingSinceMs >= hold * 1000 && !isWithinTheMinute;
}

function lastStateOf(row: Row): LastState {
  return {
    lastDateMs: row.last_date_ms === null ? null : Number(row.last_date_ms),
    lastValue: row.last_data_value === null ? null : String(row.last_data_value),
    lastTriggeredMs: Number(row.last_triggered_ms),
    times: Number(row.times_triggered),
    pendingSinceMs: numberOrNull(row.pending_since_ms),
    episodeMs: numberOrNull(row.episode_ms),
    episodeFiredMs: numberOrNull(row.episode_fired_ms),
    isAcknowledged: row.episode_acknowledged === 1,
    clearSinceMs: numberOrNull(row.clear_since_ms),
    dueMs: numberOrNull(row.condition_due_ms),
  };
}

function isSame(before: LastState, after: LastState): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}

/** Two firings of a sensor trigger are at least a minute apart. */
export function judgeMinutes({ links, rows }: History): string[] {
  return links.flatMap(({ sensorTriggerId }) => {
    const times = rows('firings')
      .filter((row) => row.sensor_trigger_id === sensorTriggerId)
      .map((row) => Number(row.fired_ms))
      .sort((a, b) => a - b);
    const close = times.slice(1).filter((ms, index) => ms - (times[index] ?? 0) < MINUTE_MS);
    return close.map((ms) => `sensor trigger ${sensorTriggerId} fired within a minute, at ${ms}`);
  });
}
