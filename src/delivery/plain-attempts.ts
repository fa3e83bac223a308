import type { Pool, PoolConnection } from 'mysql2/promise';
import { inPoolTransaction } from '../storage/transaction';
import { valuesById } from '../storage/values-by-id';
import type { Attempt, Lease } from './attempt';
import { instantsOf } from './delivery-stages';
import { judgedHealth } from './destination-health';
import { makeEndsOfAllDue } from './earlier-deliveries';

/** A successful attempt that changes nothing else, except for ends of episodes that wait for it. */
export interface PlainAttempt {
  lease: Lease;
  attempt: Attempt;
  nowMs: number;
}

/** True if an attempt is plain: nearly all are. */
export function isPlain({ row, whyNotSent }: Lease, { outcome }: Attempt, nowMs: number): boolean {
  if (outcome.kind !== 'delivered' || whyNotSent !== null || row.digest_minute_ms !== null) return false;
  return judgedHealth(row, outcome, 'delivered', nowMs) === 'none';
}

/** Records attempts in one transaction with at most five statements, however many attempts there are. */
export function recordPlain(pool: Pool, group: readonly PlainAttempt[]): Promise<undefined[]> {
  return inPoolTransaction(pool, async (connection) => {
    await writeDelivered(connection, group);
    await writeAttempts(
      connection,
      group.map(({ lease, attempt }) => ({ id: lease.row.id, attempt })),
    );
    const nowMs = Math.max(...group.map((one) => one.nowMs));
    await makeEndsOfAllDue(
      connection,
      group.map(({ lease }) => lease.row),
      nowMs,
    );
    return group.map(() => undefined);
  });
}

export async function writeAttempts(
  connection: PoolConnection,
  attempts: readonly { id: number; attempt: Attempt }[],
): Promise<void> {
  const rows = attempts.map(({ id, attempt: { outcome, startedMs, durationMs } }) => {
    const error = outcome.kind === 'delivered' ? null : outcome.reason.slice(0, 500);
    return [id, startedMs, outcome.statusCode ?? null, durationMs, error];
  });
  await connection.query(
    'INSERT INTO delivery_attempts (delivery_id, date_ms, status_code, duration_ms, error) VALUES ?',
    [rows],
  );
}

/**
 * Only while the lease is still the current one: an attempt that outlived its lease must not undo its successor's
 * result.
 */
async function writeDelivered(connection: PoolConnection, group: readonly PlainAttempt[]): Promise<void> {
  const ids = group.map(({ lease }) => lease.row.id);
  const instants = group.map(({ lease, attempt }) => instantsOf(attempt, lease.whyNotSent));
  const written = valuesById(ids, {
    finished_ms: group.map(({ nowMs }) => nowMs),
    sent_ms: instants.map(({ sentMs }) => sentMs),
    answered_ms: instants.map(({ answeredMs }) => answeredMs),
  });
  const leased = valuesById(ids, { claim: group.map(({ lease }) => lease.token) });
  await connection.query(
    `UPDATE deliveries SET status = 'delivered', attempts = attempts + 1, next_attempt_ms = NULL, claimed_until_ms = NULL,
       slot = NULL, parked_ms = NULL, ${written.sql}, claim = NULL
     WHERE id IN (?) AND ${leased.sql}`,
    [...written.values, ids, ...leased.values],
  );
}
