import type { Row } from '../database/sql-syntax';
import { isDependency } from '../dependents';
import type { History, Link, ReceivedRequest } from '../history';
import { PERMITS_PER_RECEIVER } from '../simulated-process';
import { added, nameOf } from './commits';

const ALL_ATTEMPTS = 10;
/** No fault affects an attempt for longer than this. */
const AFTERMATH_MS = 180_000;

/** A firing and its deliveries and events are written by one commit, each once. */
export function judgeFirings({ links, firingListeners, commits, rows }: History): string[] {
  const faults: string[] = [];
  const beginnings = new Map(rows('firings').map((row) => [row.id, Number(row.fired_ms)]));
  for (const commit of commits) {
    const deliveries = added(commit, 'deliveries').filter(
      (row) => row.firing_id !== null && row.kind === 'firing' && row.escalation === 0 && !isDependency(row),
    );
    const firings = added(commit, 'firings').filter((row) => !isDependency(row));
    for (const firing of firings) {
      const link = links.find(({ sensorTriggerId }) => sensorTriggerId === firing.sensor_trigger_id);
      const reached = deliveries.filter((row) => row.firing_id === firing.id).map((row) => Number(row.notification_id));
      const beganMs = beginnings.get(firing.episode_id ?? firing.id ?? null) ?? 0;
      const isMuted = Number(firing.fired_ms) < (link?.mutedUntilMs ?? 0);
      if (Boolean(firing.muted) !== isMuted) faults.push(`firing ${firing.id} is wrongly muted, or not`);
      const expected = isMuted || !link ? [] : [...link.notificationIds, ...takingPart(link, firing, beganMs)].sort();
      if (String(reached.sort()) !== String(expected)) {
        faults.push(`firing ${firing.id} has deliveries to ${reached}, not to ${expected} (${nameOf(commit)})`);
      }
    }
    const ids = new Set(firings.map((row) => row.id));
    const strays = deliveries.filter((row) => !ids.has(row.firing_id ?? null));
    if (strays.length > 0)
      faults.push(`${strays.length} deliveries were written separately from their firing (${nameOf(commit)})`);
  }
  const dispatched = rows('deliveries').filter((row) => row.event === 'fire_trigger').length;
  const expected = rows('firings').filter((row) => row.muted === 0).length * firingListeners;
  if (dispatched !== expected)
    faults.push(`firings were dispatched ${dispatched} times as events, not ${expected} times`);
  return faults;
}

/** The notifications that wait for an episode to last, and get this firing at once, because it has. */
function takingPart({ late }: Link, firing: Row, beganMs: number): number[] {
  return late.filter(({ afterS }) => beganMs + afterS * 1000 <= Number(firing.fired_ms)).map(({ id }) => id);
}

/** Every delivery ends: delivered, refused permanently, or after its whole schedule. */
export function judgeEndings({ rows, requests }: History): string[] {
  const attempts = groupBy(rows('delivery_attempts'), (row) => Number(row.delivery_id));
  const received = groupBy(requests, ({ deliveryId }) => deliveryId);
  const statuses = new Map(rows('deliveries').map((row) => [row.id ?? null, row.status]));
  return rows('deliveries').flatMap((row) => {
    const id = Number(row.id);
    // What went out in a digest has its status.
    if ((row.digest_id ?? null) !== null && statuses.get(row.digest_id ?? null) === row.status) return [];
    const why = whyEndedWrongly(row, attempts.get(id) ?? [], received.get(id) ?? []);
    return why ? [`delivery ${id} to ${row.destination}: ${why}`] : [];
  });
}

function whyEndedWrongly(row: Row, attempts: Row[], requests: ReceivedRequest[]): string | null {
  const codes = attempts.map(({ status_code: code }) => Number(code));
  if (row.status === 'delivered') {
    return requests.some(({ answer }) => answer === 200) && codes.includes(200)
      ? null
      : 'is marked as delivered but was not';
  }
  if (row.status === 'pending') return `still waits, after ${attempts.length} attempts`;
  const isRefused = codes.includes(410) || codes.filter((code) => code === 400).length >= 3;
  return isRefused || Number(row.attempts) === ALL_ATTEMPTS ? null : `failed after the responses ${codes}`;
}

/** Receivers see one permanent id, one body, only stored deliveries, and no simultaneous attempts. */
export function judgeRequests(history: History): string[] {
  const faults: string[] = [];
  const writtenMs = new Map<number, number>();
  for (const commit of history.commits) {
    for (const row of added(commit, 'deliveries')) writtenMs.set(Number(row.id), commit.atMs);
  }
  const rows = new Map(history.rows('deliveries').map((row) => [Number(row.id), row]));
  for (const [id, requests] of groupBy(history.requests, ({ deliveryId }) => deliveryId)) {
    const ids = new Set([...requests.map(({ webhookId }) => webhookId), rows.get(id)?.webhook_id]);
    if (ids.size !== 1) faults.push(`delivery ${id} was sent under ${ids.size} ids`);
    // A digest names sensors as they are at each attempt.
    const mayChange = rows.get(id)?.kind === 'digest';
    if (!mayChange && new Set(requests.map(({ body }) => body)).size !== 1)
      faults.push(`delivery ${id} changed its body`);
    const first = requests[0]?.atMs ?? 0;
    if (first < (writtenMs.get(id) ?? Number.POSITIVE_INFINITY))
      faults.push(`delivery ${id} was sent before it was stored`);
    faults.push(...judgeRepeats(history, id, requests));
  }
  return faults;
}

function judgeRepeats(history: History, id: number, requests: ReceivedRequest[]): string[] {
  const faults: string[] = [];
  for (const [index, request] of requests.entries()) {
    const earlier = requests[index - 1];
    if (!earlier || wasDisturbed(history, earlier.atMs, request.atMs)) continue;
    if (request.atMs < earlier.answerMs) {
      faults.push(`delivery ${id} was sent at ${request.atMs} during the attempt of ${earlier.atMs}`);
    }
    if (earlier.answer === 200 || earlier.answer === 410) faults.push(`delivery ${id} was sent again after its end`);
  }
  return faults;
}

function wasDisturbed({ incidents }: History, fromMs: number, toMs: number): boolean {
  return incidents.some(
    (incident) => incident.kind === 'process' && incident.fromMs <= toMs && incident.toMs + AFTERMATH_MS >= fromMs,
  );
}

/** Only the holder of the lease stores an attempt, each counts as one, and an ended delivery does not change. */
export function judgeLeases({ commits }: History): string[] {
  const faults: string[] = [];
  const holders = new Map<unknown, string>();
  for (const commit of commits) {
    for (const { table, before, after } of commit.changes) {
      if (table !== 'deliveries' || !before || !after) continue;
      const name = `delivery ${after.id} (${nameOf(commit)})`;
      if (before.status !== 'pending' && before.status !== after.status) faults.push(`${name}: changed after its end`);
      if (after.attempts !== before.attempts) {
        if (Number(after.attempts) !== Number(before.attempts) + 1) faults.push(`${name}: wrong number of attempts`);
        if (after.digest_id === null && holders.get(after.id) !== commit.owner)
          faults.push(`${name}: written by another worker than the holder of its lease`);
      }
      if (after.lease === null) holders.delete(after.id);
      else if (after.lease !== before.lease) {
        const isHeld = before.lease_until_ms !== null && Number(before.lease_until_ms) > commit.atMs;
        if (isHeld) faults.push(`${name}: leased while another worker holds it`);
        holders.set(after.id, commit.owner);
      }
    }
  }
  return faults;
}

/** No attempt begins while its receiver is paused. */
export function judgePauses({ commits, pauses }: History): string[] {
  if (pauses.length === 0) return [];
  return commits.flatMap((commit) =>
    commit.changes.flatMap(({ table, before, after }) => {
      if (table !== 'deliveries' || !after || after.permit === null || after.lease === before?.lease) return [];
      const isPaused = pauses.some(
        ({ receiver, fromMs, toMs }) => receiver === after.receiver && fromMs < commit.atMs && commit.atMs < toMs,
      );
      return isPaused ? [`delivery ${after.id} was leased while its receiver was paused (${nameOf(commit)})`] : [];
    }),
  );
}

/** Without faults no receiver has more simultaneous attempts than permits, and every attempt is one request. */
export function judgePermits({ isCalm, requests, rows }: History): string[] {
  if (!isCalm) return [];
  const destinations = new Map(rows('deliveries').map((row) => [Number(row.id), String(row.destination)]));
  const faults: string[] = [];
  for (const [receiver, all] of groupBy(requests, ({ deliveryId }) => destinations.get(deliveryId))) {
    for (const { atMs } of all) {
      const active = all.filter((other) => other.atMs <= atMs && atMs < other.answerMs).length;
      if (active > PERMITS_PER_RECEIVER) faults.push(`${active} simultaneous attempts went to ${receiver} at ${atMs}`);
    }
  }
  const attempts = rows('delivery_attempts').length;
  if (attempts !== requests.length) faults.push(`${requests.length} requests, but ${attempts} attempts`);
  return faults;
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
