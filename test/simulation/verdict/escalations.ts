import type { Commit } from '../database/simulated-database';
import type { Row, Value } from '../database/sql-syntax';
import { isDependency } from '../dependents';
import type { History } from '../history';
import { added, nameOf } from './commits';
import { lateness } from './inactivities';

/** A delivery that waits for its episode. */
interface Waiting {
  row: Row;
  dueMs: number;
  /** When it was written. */
  knownMs: number;
  /** True once it waits for a permit of its receiver. */
  isThrottled: boolean;
}

/**
 * A notification that waits for an episode gets one delivery for it, written with the first firing that is delivered,
 * which begins in time and never early; or it is deleted by the commit that ends or acknowledges the episode.
 */
export function judgeEscalations(history: History): string[] {
  const faults: string[] = [];
  const beginnings = new Map(history.rows('firings').map((row) => [row.id ?? null, Number(row.fired_ms)]));
  const waiting = new Map<Value, Waiting>();
  const announced = new Set<Value>();
  const written = new Set<string>();
  for (const commit of history.commits) {
    const fresh = added(commit, 'deliveries').filter((row) => row.escalation === 1 && !isDependency(row));
    const expected = expectedIn(history, commit, beginnings, announced);
    for (const row of fresh) {
      const key = keyOf(row.firing_id, row.notification_id);
      const dueMs = expected.get(key);
      if (written.has(key)) faults.push(`delivery ${row.id}: written twice (${nameOf(commit)})`);
      if (dueMs !== row.next_attempt_ms)
        faults.push(`delivery ${row.id}: waits until ${row.next_attempt_ms}, not ${dueMs}`);
      written.add(key);
      expected.delete(key);
      waiting.set(row.id ?? null, {
        row,
        dueMs: Number(row.next_attempt_ms),
        knownMs: commit.atMs,
        isThrottled: false,
      });
    }
    for (const key of expected.keys())
      faults.push(`no delivery waits for firing and notification ${key} (${nameOf(commit)})`);
    faults.push(...judgeCommit(history, commit, waiting));
  }
  for (const [id, { dueMs, knownMs, isThrottled }] of waiting) {
    if (isThrottled) continue;
    const why = lateness(history, Math.max(dueMs, knownMs), history.activeUntilMs);
    if (why) faults.push(`escalation ${id}: ${why}, at the end`);
  }
  return [...faults, ...judgeArrivals(history)];
}

function keyOf(firingId: Value | undefined, notificationId: Value | undefined): string {
  return `${firingId} ${notificationId}`;
}

/** When the deliveries are due that a commit must write: for each episode whose first delivered firing it adds. */
function expectedIn(
  { links }: History,
  commit: Commit,
  beginnings: ReadonlyMap<Value, number>,
  announced: Set<Value>,
): Map<string, number> {
  const expected = new Map<string, number>();
  for (const firing of added(commit, 'firings')) {
    const firstId = firing.episode_id ?? firing.id ?? null;
    if (firing.muted === 1 || announced.has(firstId)) continue;
    announced.add(firstId);
    if (calmedIn(commit).has(firstId)) continue; // it began and ended in the same pass
    const link = links.find(({ sensorTriggerId }) => sensorTriggerId === firing.sensor_trigger_id);
    for (const { id, afterS } of link?.late ?? []) {
      const dueMs = (beginnings.get(firstId) ?? 0) + afterS * 1000;
      if (dueMs > Number(firing.fired_ms)) expected.set(keyOf(firstId, id), dueMs);
    }
  }
  return expected;
}

/** The episodes that a commit ends or acknowledges, by their first firings, with what it does. */
function calmedIn({ changes }: Commit): Map<Value, 'over' | 'acknowledged'> {
  const calmed = new Map<Value, 'over' | 'acknowledged'>();
  for (const { table, before, after } of changes) {
    if (table !== 'firings' || !after) continue;
    const isNew = (column: string) => (after[column] ?? null) !== (before?.[column] ?? null);
    if (isNew('ended_ms')) calmed.set(after.id ?? null, 'over');
    else if (isNew('acknowledged_ms')) calmed.set(after.id ?? null, 'acknowledged');
  }
  return calmed;
}

/** What a commit does to the deliveries that wait: each is started, deleted with its episode, or still waits for it. */
function judgeCommit(history: History, commit: Commit, waiting: Map<Value, Waiting>): string[] {
  if (waiting.size === 0) return [];
  const faults: string[] = [];
  const calmed = calmedIn(commit);
  for (const { table, before, after } of commit.changes) {
    const known = table === 'deliveries' && before ? waiting.get(before.id ?? null) : undefined;
    if (!before || !known) continue;
    if (!after && !calmed.has(known.row.firing_id ?? null))
      faults.push(`escalation ${before.id}: deleted during its episode`);
    const why = after ? whyStartedWrongly(history, commit, known) : null;
    if (why) faults.push(`escalation ${before.id}: ${why} (${nameOf(commit)})`);
    waiting.delete(before.id ?? null);
  }
  for (const row of added(commit, 'throttled_deliveries')) {
    const known = waiting.get(row.delivery_id ?? null);
    const why = known ? whyStartedWrongly(history, commit, known) : null;
    if (known) known.isThrottled = true;
    if (why) faults.push(`escalation ${row.delivery_id}: ${why} (${nameOf(commit)})`);
  }
  for (const [id, { row }] of waiting) {
    const how = calmed.get(row.firing_id ?? null);
    if (how === undefined) continue;
    faults.push(`escalation ${id}: still waits although its episode is ${how} (${nameOf(commit)})`);
    waiting.delete(id);
  }
  return faults;
}

function whyStartedWrongly(
  history: History,
  { atMs }: Commit,
  { dueMs, knownMs, isThrottled }: Waiting,
): string | null {
  if (isThrottled) return null;
  if (atMs < dueMs) return `started at ${atMs}, before ${dueMs}`;
  return lateness(history, Math.max(dueMs, knownMs), atMs);
}

/** No receiver gets an escalation before its time. */
function judgeArrivals({ commits, requests }: History): string[] {
  const dueMs = new Map<number, number>();
  for (const commit of commits) {
    for (const row of added(commit, 'deliveries')) {
      if (row.escalation === 1 && !isDependency(row)) dueMs.set(Number(row.id), Number(row.next_attempt_ms));
    }
  }
  return requests.flatMap(({ deliveryId, atMs }) => {
    const due = dueMs.get(deliveryId) ?? 0;
    return atMs < due ? [`escalation ${deliveryId} was sent at ${atMs}, before ${due}`] : [];
  });
}
