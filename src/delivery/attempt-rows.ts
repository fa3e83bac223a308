import type { Pool, PoolConnection, ResultSetHeader } from 'mysql2/promise';
import type { DeliveryNudge } from '../../jobs/delivery.job';
import { raiseEvents } from '../events/event-rows';
import type { DeliveryState } from '../rules/delivery-schedule';
import { inPoolTransaction, runOn } from '../storage/transaction';
import { valuesById } from '../storage/values-by-id';
import type { Attempt, Lease } from './attempt';
import { instantsOf } from './delivery-stages';
import { followHealth } from './destination-health';
import { endDigested } from './digests';
import { makeEndsOfAllDue } from './earlier-deliveries';

/** An attempt that was made, and the delivery's state after it. */
export interface MadeAttempt {
  lease: Lease;
  attempt: Attempt;
  /** Why the delivery was not sent, or null. */
  whyNotSent: string | null;
  next: DeliveryState;
  nowMs: number;
}

/** What to do after the commit. */
export interface Consequences {
  /** The mail that informs the owner of a disabled notification. */
  mails?: DeliveryNudge[] | undefined;
  hasEvents: boolean;
}

/** Another worker has taken over the lease of an attempt that shares a transaction with others. */
export class LeaseLost extends Error {}

/**
 * Records attempts in one transaction: each attempt, the delivery's new state, and what follows from it. Throws
 * `LeaseLost` if one of several attempts has lost its lease. An attempt alone is then recorded without consequences: an
 * attempt that outlived its lease must not undo its successor's result.
 */
export function recordAttempts(pool: Pool, group: readonly MadeAttempt[]): Promise<Consequences[]> {
  return inPoolTransaction(pool, async (connection) => {
    const written = await writeStates(connection, group);
    if (written < group.length && group.length > 1) throw new LeaseLost();
    await writeAttempts(connection, group);
    return written === 0 ? [{ hasEvents: false }] : follow(connection, group);
  });
}

/** Only where the lease is still the current one. Returns how many were written. */
async function writeStates(connection: PoolConnection, group: readonly MadeAttempt[]): Promise<number> {
  const ids = group.map(({ lease }) => lease.row.id);
  const instants = group.map(({ attempt, whyNotSent }) => instantsOf(attempt, whyNotSent));
  const states = valuesById(ids, {
    status: group.map(({ next }) => next.status),
    next_attempt_ms: group.map(({ next }) => (next.status === 'pending' ? next.nextAttemptMs : null)),
    finished_ms: group.map(({ next, nowMs }) => (next.status === 'pending' ? null : nowMs)),
    sent_ms: instants.map(({ sentMs }) => sentMs),
    answered_ms: instants.map(({ answeredMs }) => answeredMs),
  });
  const leased = valuesById(ids, { claim: group.map(({ lease }) => lease.token) });
  const [{ affectedRows }] = await connection.query<ResultSetHeader>(
    `UPDATE deliveries SET attempts = attempts + 1, claimed_until_ms = NULL, slot = NULL, parked_ms = NULL, ${states.sql}, claim = NULL
     WHERE id IN (?) AND ${leased.sql}`,
    [...states.values, ids, ...leased.values],
  );
  return affectedRows;
}

async function writeAttempts(connection: PoolConnection, group: readonly MadeAttempt[]): Promise<void> {
  const rows = group.map(({ lease, attempt: { outcome, startedMs, durationMs } }) => {
    const error = outcome.kind === 'delivered' ? null : outcome.reason.slice(0, 500);
    return [lease.row.id, startedMs, outcome.statusCode ?? null, durationMs, error];
  });
  await connection.query(
    'INSERT INTO delivery_attempts (delivery_id, date_ms, status_code, duration_ms, error) VALUES ?',
    [rows],
  );
}

async function follow(connection: PoolConnection, group: readonly MadeAttempt[]): Promise<Consequences[]> {
  const nowMs = Math.max(...group.map((made) => made.nowMs));
  const ended = group.filter(({ next }) => next.status !== 'pending').map(({ lease }) => lease.row);
  await makeEndsOfAllDue(connection, ended, nowMs);
  const consequences: Consequences[] = [];
  for (const made of group) consequences.push(await followOne(connection, made));
  return consequences;
}

/** Nearly every attempt succeeds, is not a digest, and says nothing new about its destination: then nothing follows. */
async function followOne(
  connection: PoolConnection,
  { lease: { row }, attempt, whyNotSent, next, nowMs }: MadeAttempt,
): Promise<Consequences> {
  const { status } = next;
  if (row.digest_minute_ms !== null && status !== 'pending') {
    await endDigested(connection, row.id, { status, nowMs }, attempt);
  }
  // A delivery that was not sent says nothing about its destination.
  const mails = whyNotSent === null ? await followHealth(connection, row, attempt.outcome, status, nowMs) : undefined;
  // The failed delivery of a `delivery_failed` event raises no further event, because that would never end.
  const name = 'delivery_failed';
  const failed =
    status === 'failed' && row.event !== name
      ? await raiseEvents(runOn(connection), [{ name, subjectId: row.id, userId: row.owner_id }], nowMs)
      : [];
  return { mails, hasEvents: failed.length > 0 || mails !== undefined };
}
