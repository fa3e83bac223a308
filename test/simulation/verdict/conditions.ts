import type { History, Link } from '../history';
import { lateness } from './inactivities';
import { States } from './states';

/**
 * When the clock has to decide on a condition, it does, hardly late: the due time of a sensor trigger is gone, or has
 * moved, soon after it has come, or after the commit that set it.
 */
export function judgeConditions(history: History): string[] {
  const faults: string[] = [];
  const states = new States();
  const dueOf = new Map<Link, { dueMs: number; knownMs: number }>();
  for (const commit of history.commits) {
    if (!states.follow(commit)) continue;
    for (const link of history.links) {
      const row = states.of(link.sensorTriggerId);
      const dueMs = row?.active === 1 && row.condition_due_ms !== null ? Number(row.condition_due_ms) : undefined;
      const before = dueOf.get(link);
      if (before?.dueMs === dueMs) continue;
      const why = before ? lateness(history, before.knownMs, commit.beganMs) : null;
      if (why) faults.push(`condition of sensor trigger ${link.sensorTriggerId}: ${why}`);
      if (dueMs === undefined) dueOf.delete(link);
      else dueOf.set(link, { dueMs, knownMs: Math.max(dueMs, commit.atMs) });
    }
  }
  for (const [link, { knownMs }] of dueOf) {
    const why = lateness(history, knownMs, history.activeUntilMs);
    if (why) faults.push(`condition of sensor trigger ${link.sensorTriggerId}: ${why}, at the end`);
  }
  return faults;
}
