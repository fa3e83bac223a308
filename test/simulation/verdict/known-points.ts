import { type DataPoint, isLate, isTooFarAhead } from '../../../src/points';
import type { Row } from '../database/sql-syntax';
import type { History, Link } from '../history';
import { removedPoints } from './commits';

/**
 * A decision of the live platform is this much later than that of a backtest: points come up to a second after their
 * dates, and the clock decides within two.
 */
export const LAG_MS = 3_000;
/** A point whose date differs more from its arrival counts from its arrival. */
const CURRENT_MS = 1_000;

export interface Known {
  points: DataPoint[];
  /** Until when a backtest knows all that the live platform knew. */
  untilMs: number;
}

export function firingsOf({ rows }: History, { sensorTriggerId }: Link): Row[] {
  return rows('firings').filter((row) => row.sensor_trigger_id === sensorTriggerId);
}

/**
 * The points that the passes evaluated, in their order, at the times when a backtest evaluates them: at their dates, or at
 * their arrivals if they came late or were dated ahead.
 */
export function knownOf(history: History, link: Link): Known {
  const { commits, outages } = history;
  const { sensorId, rule } = link;
  // All triggers are switched off at the end.
  const ends = commits.filter(({ owner }) => owner === 'owner').map(({ atMs }) => atMs - LAG_MS);
  // A user ends episodes by hand.
  for (const row of firingsOf(history, link)) if (row.resolved_by === 'user') ends.push(Number(row.ended_ms));
  // Outages do not count as inactivity.
  if (rule.inactivity !== null) ends.push(...outages.map(({ fromMs }) => fromMs));
  const points: DataPoint[] = [];
  let last: { lastDateMs: number | null; lastValue: string | null } = { lastDateMs: null, lastValue: null };
  for (const commit of commits) {
    const own = removedPoints(commit).filter((point) => point.sensorId === sensorId);
    for (const point of own.sort((one, other) => one.dateMs - other.dateMs)) {
      const { dateMs, receivedMs, value } = point;
      const [isAhead, wasAhead] = [commit.atMs, commit.beganMs].map((nowMs) => isTooFarAhead(dateMs, nowMs));
      if (isAhead !== wasAhead) ends.push(receivedMs);
      const isEvaluated = !isAhead && !isLate(last, point);
      const isCurrent = Math.abs(receivedMs - dateMs) <= CURRENT_MS;
      // What is not evaluated ends an inactivity, and times between points are those of their dates.
      const mattersOtherwise = isEvaluated ? rule.hold > 0 || rule.keepFiringFor > 0 : rule.inactivity !== null;
      if (mattersOtherwise && !(isEvaluated && isCurrent)) ends.push(receivedMs);
      if (!isEvaluated) continue;
      last = { lastDateMs: dateMs, lastValue: value };
      const afterMs = (points.at(-1)?.dateMs ?? 0) + 1;
      points.push({ value, dateMs: Math.max(afterMs, isCurrent ? dateMs : receivedMs) });
    }
  }
  return { points, untilMs: Math.min(...ends) };
}
