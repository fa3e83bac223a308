import type { Commit } from '../database/simulated-database';
import type { Row, Value } from '../database/sql-syntax';
import { CHILD_ID, PARENT_ID } from '../dependents';
import type { History } from '../history';
import { added, nameOf } from './commits';

/** The longest time until a delivery that waits is looked at again. */
const LOOK_AGAIN_MS = 60_000;
/** Without faults, a parent that has fired for so long is seen by each look. */
const SEEN_MS = 2_000;
const NOTICE_MS = 2_000;

/**
 * Each firing of a child writes a delivery that waits for each notification. It goes out once, or is deleted by the commit
 * that ends or acknowledges its episode; the commit that ends what holds it makes it due.
 */
export function judgeDependencies(history: History): string[] {
  const { dependents } = history;
  if (!dependents) return [];
  const faults: string[] = [];
  const firings = new Map<Value, Row>();
  const deliveries = new Map<Value, Row>();
  for (const commit of history.commits) {
    const before = new Map(firings);
    for (const { table, before: old, after } of commit.changes) {
      if (table !== 'firings') continue;
      if (after) firings.set(after.id ?? null, after);
      else firings.delete(old?.id ?? null);
    }
    faults.push(
      ...judgeNew(history, commit, firings).map((why) => `${why} (${nameOf(commit)})`),
      ...judgeChanges(commit, { before, firings, deliveries }).map((why) => `${why} (${nameOf(commit)})`),
      ...judgeReleased(commit, { before, firings, deliveries }).map((why) => `${why} (${nameOf(commit)})`),
    );
  }
  return [...faults, ...judgeOnce(history), ...judgeEnds(history), ...(history.isCalm ? judgeHeld(history) : [])];
}

interface Known {
  before: ReadonlyMap<Value, Row>;
  firings: ReadonlyMap<Value, Row>;
  /** Of the child, that have not been leased. */
  deliveries: Map<Value, Row>;
}

function isOfChild({ trigger_id, kind }: Row): boolean {
  return trigger_id === CHILD_ID && kind === 'firing';
}

function judgeNew({ dependents, rows }: History, commit: Commit, firings: ReadonlyMap<Value, Row>): string[] {
  const fresh = added(commit, 'deliveries').filter(isOfChild);
  return added(commit, 'firings')
    .filter((row) => row.trigger_id === CHILD_ID)
    .flatMap((firing) => {
      const own = fresh.filter((row) => row.firing_id === firing.id);
      // It may end in the pass in which it begins.
      const isOver = firings.get(firing.id ?? null)?.is_lasting === 0;
      const expected = isOver && own.length === 0 ? [] : (dependents?.notificationIds ?? []);
      const reached = own.map((row) => Number(row.notification_id)).sort((a, b) => a - b);
      const whys =
        String(reached) === String(expected) ? [] : [`firing ${firing.id} reaches ${reached}, not ${expected}`];
      const wasDependent = rows('firings').find((row) => row.id === firing.id)?.is_dependent === 1;
      const waitMs = Math.max((dependents?.waitS ?? 0) * 1000, NOTICE_MS);
      const early = own.filter(
        (row) => wasDependent && Number(row.next_attempt_ms) !== Number(firing.fired_ms) + waitMs,
      );
      return [...whys, ...early.map((row) => `delivery ${row.id} waits until ${row.next_attempt_ms}`)];
    });
}

function judgeChanges(commit: Commit, { before, firings, deliveries }: Known): string[] {
  const faults: string[] = [];
  for (const { table, before: old, after } of commit.changes) {
    const row = after ?? old;
    if (table !== 'deliveries' || !row || !isOfChild(row)) continue;
    const firing = firings.get(row.firing_id ?? null);
    const had = before.get(row.firing_id ?? null);
    if (!after) {
      const isCalmed =
        firing?.ended_ms !== (had?.ended_ms ?? null) || firing?.acknowledged_ms !== (had?.acknowledged_ms ?? null);
      if (!isCalmed) faults.push(`delivery ${row.id} was deleted during its episode`);
      if (!deliveries.has(row.id ?? null)) faults.push(`delivery ${row.id} was deleted although it may have been sent`);
    }
    const waits =
      after?.status === 'pending' && after.attempts === 0 && after.lease === null && after.digest_id === null;
    if (after && waits && (!old || deliveries.has(after.id ?? null))) {
      deliveries.set(after.id ?? null, after);
      const next = after.next_attempt_ms ?? null;
      const latest = commit.atMs + LOOK_AGAIN_MS;
      // A receiver that asks for fewer requests postpones it for longer.
      if (old && after.waits_for === null && next !== null && Number(next) > latest)
        faults.push(`delivery ${row.id} is not looked at until ${next}`);
    } else deliveries.delete(row.id ?? null);
  }
  return faults;
}

/** What an episode holds becomes due in the commit that ends it. */
function judgeReleased(commit: Commit, { before, firings, deliveries }: Known): string[] {
  const ended = [...firings.values()].filter(
    (row) => row.trigger_id === PARENT_ID && row.is_lasting === 0 && before.get(row.id ?? null)?.is_lasting === 1,
  );
  return ended.flatMap(({ id }) =>
    [...deliveries.values()].flatMap((row) => {
      const firing = firings.get(row.firing_id ?? null);
      const isHeld = firing?.held_by === id && firing?.is_lasting === 1 && before.get(id ?? null)?.holds === 1;
      const isDue = row.next_attempt_ms === null || Number(row.next_attempt_ms) <= commit.atMs;
      return isHeld && !isDue ? [`delivery ${row.id} is still held by ${id}, which ended`] : [];
    }),
  );
}

/** At most one request under one id for an episode and a notification, or one digest with it. */
function judgeOnce({ rows }: History): string[] {
  const seen = new Set<string>();
  return rows('deliveries')
    .filter(isOfChild)
    .flatMap((row) => {
      const key = `${row.firing_id} ${row.notification_id}`;
      const isTwice = seen.has(key);
      seen.add(key);
      return isTwice ? [`firing ${row.firing_id} was delivered twice to ${row.notification_id}`] : [];
    });
}

/** Those that got the firing get the end, and no others. */
function judgeEnds({ rows, dependents }: History): string[] {
  const all = rows('deliveries').filter((row) => row.trigger_id === CHILD_ID);
  const reached = (kind: string) => new Set(all.filter((row) => row.kind === kind).map(keyOf));
  const [got, ended] = [reached('firing'), reached('end')];
  const strays = [...ended].filter((key) => !got.has(key)).map((key) => `an end without a firing: ${key}`);
  if (!dependents?.notifyResolved) return strays;
  const over = new Set(rows('firings').flatMap((row) => (row.is_lasting === 0 ? [Number(row.id)] : [])));
  const missing = [...got].filter((key) => over.has(Number(key.split(' ')[0])) && !ended.has(key));
  return [...strays, ...missing.map((key) => `a firing without an end: ${key}`)];
}

function keyOf(row: Row): string {
  return `${row.firing_id} ${row.notification_id}`;
}

/** Without faults nothing is leased while its parent has fired for a moment. */
function judgeHeld({ commits }: History): string[] {
  const state = new World();
  return commits.flatMap((commit) => {
    const started = commit.changes.filter(
      ({ table, before, after }) =>
        table === 'deliveries' &&
        after &&
        isOfChild(after) &&
        before?.lease === null &&
        after.lease !== null &&
        before.attempts === 0,
    );
    const faults = started.flatMap(({ after }) => {
      const sinceMs = state.heldSinceMs(after ?? {}, commit.atMs);
      return sinceMs !== null && commit.atMs - sinceMs > SEEN_MS
        ? [`delivery ${after?.id} was sent, although it was held since ${sinceMs} (${nameOf(commit)})`]
        : [];
    });
    state.follow(commit);
    return faults;
  });
}

/** Since when the conditions of a dependency are met, commit by commit. */
class World {
  private readonly rows = new Map<string, Row>();
  private changedMs = 0;

  follow({ changes, atMs }: Commit): void {
    for (const { table, before, after } of changes) {
      const row = after ?? before;
      if (!row || !this.matters(table, row)) continue;
      const key = table === 'metatags' ? `tag ${row.sensor_id}` : `${table} ${row.id}`;
      if (after) this.rows.set(key, after);
      else this.rows.delete(key);
      if (table !== 'sensor_triggers' || before?.muted_until_ms !== after?.muted_until_ms) this.changedMs = atMs;
    }
  }

  /** Null unless held; otherwise the latest change of anything that matters. */
  heldSinceMs({ sensor_id }: Row, atMs: number): number | null {
    const child = this.rows.get(`triggers ${CHILD_ID}`);
    const open = [...this.rows.values()].find((row) => row.trigger_id === PARENT_ID && row.is_lasting === 1);
    if (child?.parent_id !== PARENT_ID || !open) return null;
    const pair = [...this.rows.values()].find((row) => row.trigger_id === PARENT_ID && row.active === 1);
    const mutedUntilMs = Number(pair?.muted_until_ms ?? 0);
    if (!pair || mutedUntilMs > atMs) return null;
    const [own, others] = [this.rows.get(`tag ${sensor_id}`), this.rows.get(`tag ${open.sensor_id}`)];
    const isSame = own !== undefined && own.value_key === others?.value_key;
    return isSame ? Math.max(this.changedMs, mutedUntilMs) : null;
  }

  private matters(table: string, row: Row): boolean {
    if (table === 'metatags') return row.name === 'kind';
    if (table === 'triggers') return row.id === CHILD_ID;
    return ['firings', 'sensor_triggers'].includes(table) && row.trigger_id === PARENT_ID;
  }
}
