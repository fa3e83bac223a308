import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { isDeadlock, isDuplicateKey, isTransient } from '../../storage/mysql-errors';
import { valuesById } from '../../storage/slices';
import type { Attempt, DeliveryRow, Lease, Wait } from './attempt';
import { channelOf } from './channels';
import { NOTIFICATION_COLUMNS, withKept } from './deleted-notifications';
import { IS_FREE, isNotPaused } from './delivery-rows';

const MAX_REASON = 500;

export type TakeResult = 'taken' | 'not-due' | 'permit-taken';

/** Keeps the order. The end of a deleted notification has what was kept. */
export async function readDeliveries(pool: Pool, ids: readonly number[]): Promise<(DeliveryRow | undefined)[]> {
  const [rows] = await pool.query<(RowDataPacket & DeliveryRow)[]>(
    `SELECT d.*, ${NOTIFICATION_COLUMNS}, u.timezone AS owner_timezone, u.language AS owner_language, u.disabled_ms AS owner_disabled_ms,
            s.id AS present_sensor_id, t.id AS present_trigger_id, a.failures,
            o.since_ms AS paused_ms, g.status AS digest_status
     FROM deliveries d LEFT JOIN notifications n ON n.id = d.notification_id LEFT JOIN users u ON u.id = d.owner_id
          LEFT JOIN sensors s ON s.id = d.sensor_id LEFT JOIN triggers t ON t.id = d.trigger_id
          LEFT JOIN degraded_receivers a ON a.receiver = d.receiver
          LEFT JOIN paused_receivers o ON o.receiver = d.receiver
          LEFT JOIN deliveries g ON g.id = d.digest_id
     WHERE d.id IN (?)`,
    [ids],
  );
  const byId = new Map((await withKept(pool, rows)).map((row) => [row.id, row]));
  return ids.map((id) => byId.get(Number(id)));
}

/** True if the next attempt may be leased. */
export function isDue(row: DeliveryRow, nowMs: number): boolean {
  const isLeased = row.lease_until_ms !== null && row.lease_until_ms > nowMs;
  return row.status === 'pending' && row.next_attempt_ms !== null && row.next_attempt_ms <= nowMs && !isLeased;
}

/**
 * Does not lease what another worker has, or what is paused. Usually takes one statement. If one permit is taken,
 * leases are written separately.
 */
export async function takeLeases(pool: Pool, leases: readonly Lease[], nowMs: number): Promise<TakeResult[]> {
  // Two jobs may have one delivery: the first counts.
  const each = [...new Map([...leases].reverse().map((lease) => [lease.row.id, lease])).values()];
  const taken = await takeEach(pool, each, nowMs);
  return leases.map((lease) => taken.get(lease) ?? 'not-due');
}

async function takeEach(pool: Pool, leases: readonly Lease[], nowMs: number): Promise<ReadonlyMap<Lease, TakeResult>> {
  if (leases.length === 1) return takeOneByOne(pool, leases, nowMs);
  try {
    const affected = await writeLeases(pool, leases, nowMs);
    const taken = affected === leases.length ? undefined : await readTaken(pool, leases);
    return new Map(leases.map((lease) => [lease, taken?.has(lease.row.id) === false ? 'not-due' : 'taken']));
  } catch (error) {
    if (!isDuplicateKey(error) && !isTransient(error)) throw error;
    return takeOneByOne(pool, leases, nowMs);
  }
}

async function takeOneByOne(
  pool: Pool,
  leases: readonly Lease[],
  nowMs: number,
): Promise<ReadonlyMap<Lease, TakeResult>> {
  const results = await Promise.all(leases.map(async (lease) => [lease, await takeLease(pool, lease, nowMs)] as const));
  return new Map(results);
}

async function takeLease(pool: Pool, lease: Lease, nowMs: number): Promise<TakeResult> {
  try {
    return (await writeLeases(pool, [lease], nowMs)) === 0 ? 'not-due' : 'taken';
  } catch (error) {
    if (isDuplicateKey(error) || isDeadlock(error)) return 'permit-taken';
    throw error;
  }
}

async function writeLeases(pool: Pool, leases: readonly Lease[], nowMs: number): Promise<number> {
  let written = 0;
  const groups = [leases.filter(({ permit }) => permit !== null), leases.filter(({ permit }) => permit === null)];
  for (const [index, group] of groups.entries()) {
    if (group.length === 0) continue;
    // Only attempts with a permit reach a receiver.
    const ifNotPaused = index === 0 ? ` AND ${isNotPaused('deliveries')}` : '';
    const ids = group.map(({ row }) => row.id);
    const leased = valuesById(ids, {
      lease: group.map(({ token }) => token),
      permit: group.map(({ permit }) => permit),
    });
    const unchanged = valuesById(ids, { attempts: group.map(({ row }) => row.attempts) });
    const [result] = await pool.query<ResultSetHeader>(
      `UPDATE deliveries SET lease_until_ms = ?, begun = LEAST(begun + 1, 100), waits_for = NULL, ${leased.sql}
       WHERE id IN (?) AND status = 'pending' AND ${unchanged.sql} AND next_attempt_ms <= ?
         AND ${IS_FREE}${ifNotPaused}`,
      [nowMs + LEASE_MS, ...leased.values, ids, ...unchanged.values, nowMs, nowMs],
    );
    written += result.affectedRows;
  }
  return written;
}

async function readTaken(pool: Pool, leases: readonly Lease[]): Promise<ReadonlySet<number>> {
  const ids = leases.map(({ row }) => row.id);
  const leased = valuesById(ids, { lease: leases.map(({ token }) => token) });
  const [rows] = await pool.query<(RowDataPacket & { id: number })[]>(
    `SELECT id FROM deliveries WHERE id IN (?) AND ${leased.sql}`,
    [ids, ...leased.values],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Spares a leased delivery. Counts no attempt. */
export async function postpone(
  pool: Pool,
  deliveryId: number,
  { untilMs, reason }: Wait,
  nowMs: number,
): Promise<void> {
  await pool.query(
    `UPDATE deliveries SET next_attempt_ms = ?, waits_for = ?
     WHERE id = ? AND status = 'pending' AND next_attempt_ms <= ? AND ${IS_FREE}`,
    [untilMs, reason.slice(0, MAX_REASON), deliveryId, nowMs, nowMs],
  );
}

/** Ends the lease. */
export async function postponeLeased(
  pool: Pool,
  { row, token }: Pick<Lease, 'row' | 'token'>,
  { untilMs, reason }: Wait,
): Promise<void> {
  await pool.query(
    `UPDATE deliveries SET next_attempt_ms = ?, waits_for = ?, lease_until_ms = NULL, lease = NULL, permit = NULL, begun = 0
     WHERE id = ? AND lease = ?`,
    [untilMs, reason.slice(0, MAX_REASON), row.id, token],
  );
}

export async function countFailure(pool: Pool, receiver: string, nowMs: number): Promise<void> {
  await pool.query(
    'INSERT INTO degraded_receivers (receiver, since_ms) VALUES (?) ON DUPLICATE KEY UPDATE failures = LEAST(failures + 1, 1000)',
    [[receiver, nowMs]],
  );
}

export async function forgetFailures(pool: Pool, receiver: string): Promise<void> {
  await pool.query('DELETE FROM degraded_receivers WHERE receiver = ?', [receiver]);
}

/** Must outlast a restart of MySQL. */
export const LEASE_MS = 8_000;
const RENEW_MS = 2_000;
/** A longer attempt has hung: its lease may expire. */
const MAX_ATTEMPT_MS = 45_000;

interface RenewedLease {
  deliveryId: number;
  sinceMs: number;
}

/** Renews all leases of this process in one statement. So leases are short, and those of a dead worker expire soon. */
export class LeaseRenewer {
  private readonly leases = new Map<number, RenewedLease>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  start(token: number, deliveryId: number): void {
    this.leases.set(token, { deliveryId, sinceMs: performance.now() });
    // If one renewal fails, the next ones still come in time.
    this.timer ??= setInterval(() => this.renew().catch(() => undefined), RENEW_MS).unref();
  }

  release(token: number): void {
    this.leases.delete(token);
    if (this.leases.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async renew(): Promise<void> {
    const nowMs = performance.now();
    const due = [...this.leases].filter(([, { sinceMs }]) => {
      const ageMs = nowMs - sinceMs;
      return ageMs >= RENEW_MS / 2 && ageMs <= MAX_ATTEMPT_MS;
    });
    if (due.length === 0) return;
    await this.pool.query('UPDATE deliveries SET lease_until_ms = ? WHERE id IN (?) AND lease IN (?)', [
      this.clock.now() + LEASE_MS,
      due.map(([, { deliveryId }]) => deliveryId),
      due.map(([token]) => token),
    ]);
  }
}

const SLOW_MS = 3_000;

/** Consecutive slow or failed attempts. */
export const DEGRADED_AFTER = 3;

/** A receiver that rejects this delivery is healthy. */
export function isReceiverFailure(
  type: string,
  { outcome, durationMs }: Pick<Attempt, 'outcome' | 'durationMs'>,
): boolean {
  if (durationMs >= SLOW_MS) return true;
  return outcome.kind === 'retry-later' && channelOf(type).isReceiverFailure(outcome);
}
