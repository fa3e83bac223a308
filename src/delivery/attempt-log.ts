import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { raiseEvents } from '../events/event-rows';
import type { Clock } from '../platform/clock';
import type { Metrics } from '../platform/metrics';
import type { JobQueue } from '../queue/job-queue';
import { type DeliveryState, nextAttempt } from '../rules/delivery-schedule';
import { Batcher } from '../storage/batcher';
import { isAway } from '../storage/mysql-errors';
import { inPoolTransaction, runOn } from '../storage/transaction';
import type { Attempt, AttemptResult, DeliveryRow, Lease } from './attempt';
import { nudgeOf } from './delivery-nudge';
import { type Instants, instantsOf, observeStages } from './delivery-stages';
import { followHealth } from './destination-health';
import { endDigested } from './digests';
import { makeEndsOfAllDue } from './earlier-deliveries';
import { makePendingDue } from './notification-switch';
import { isPlain, type PlainAttempt, recordPlain, writeAttempts } from './plain-attempts';

/**
 * Attempts that share a transaction, and concurrent transactions. A locked row delays only the attempts of its group.
 */
const TOGETHER = { most: 100, atOnce: 2 };

interface NextState {
  next: DeliveryState;
  attempts: number;
  nowMs: number;
}

/** Records attempts and their consequences: the next attempt, events, and a disabled destination. */
export class AttemptLog {
  private readonly plain = new Batcher((group: readonly PlainAttempt[]) => recordPlain(this.pool, group), TOGETHER);

  constructor(
    private readonly pool: Pool,
    private readonly jobQueue: JobQueue,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Records an attempt in one transaction, then enqueues its consequences. Plain attempts that end at the same time
   * share a transaction. Returns the delivery's new state.
   */
  async record(lease: Lease, attempt: Attempt): Promise<AttemptResult> {
    const nowMs = this.clock.now();
    if (!isPlain(lease, attempt, nowMs)) return this.recordAlone(lease, attempt, nowMs);
    try {
      await this.plain.add({ lease, attempt, nowMs });
    } catch (error) {
      if (isAway(error)) throw error;
      // No attempt is lost because of an error of another one.
      return this.recordAlone(lease, attempt, nowMs);
    }
    observeStages(this.metrics, lease.row, instantsOf(attempt, lease.whyNotSent));
    const next = { status: 'delivered' } as const;
    return this.finish(lease.row, attempt, { next, attempts: lease.row.attempts + 1, nowMs });
  }

  private async recordAlone(
    { row, token, whyNotSent }: Lease,
    attempt: Attempt,
    nowMs: number,
  ): Promise<AttemptResult> {
    const attempts = row.attempts + 1;
    const next = nextAttempt(attempt.outcome, attempts, nowMs, Math.random);
    const follow = await inPoolTransaction(this.pool, async (connection) => {
      await writeAttempts(connection, [{ id: row.id, attempt }]);
      // Only while the lease is still the current one: an attempt that outlived its lease must not undo its successor's
      // result.
      const state = { next, attempts, nowMs, ...instantsOf(attempt, whyNotSent) };
      if (!(await writeState(connection, row, token, state))) return { hasEvents: false };
      if (row.digest_minute_ms !== null && next.status !== 'pending') {
        await endDigested(connection, row.id, { status: next.status, nowMs }, attempt);
      }
      if (next.status !== 'pending') await makeEndsOfAllDue(connection, [row], nowMs);
      // A delivery that was not sent says nothing about its destination.
      const mails =
        whyNotSent === null ? await followHealth(connection, row, attempt.outcome, next.status, nowMs) : undefined;
      const failed = next.status === 'failed' ? await raiseFailed(connection, row, nowMs) : [];
      return { hasEvents: failed.length > 0 || mails !== undefined, mails };
    });
    if (follow.mails) {
      await makePendingDue(this.pool, row.notification_id, nowMs);
      await this.jobQueue.enqueueDeliveries(follow.mails);
    }
    if (follow.hasEvents) await this.jobQueue.enqueueEventDispatch([row.owner_id]);
    observeStages(this.metrics, row, instantsOf(attempt, whyNotSent));
    return this.finish(row, attempt, { next, attempts, nowMs });
  }

  /** Reason for the failure of the latest attempt; empty if it succeeded. */
  async latestError(deliveryId: number): Promise<string> {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      'SELECT error FROM delivery_attempts WHERE delivery_id = ? ORDER BY id DESC LIMIT 1',
      [deliveryId],
    );
    return rows[0]?.error ?? '';
  }

  /** Records the metrics of the attempt and enqueues the next one, if any. */
  private async finish(
    row: DeliveryRow,
    { outcome }: Attempt,
    { next, attempts, nowMs }: NextState,
  ): Promise<AttemptResult> {
    this.metrics.attempts.inc({ type: row.type, outcome: outcome.kind });
    if (next.status !== 'pending') {
      this.metrics.endedDeliveries.inc({ type: row.type, status: next.status });
      if (next.status === 'delivered' && row.received_ms !== null) {
        this.metrics.pointToDelivery.observe((nowMs - row.received_ms) / 1000);
      }
      return next.status;
    }
    const delayMs = Math.max(0, next.nextAttemptMs - nowMs);
    await this.jobQueue.enqueueDeliveries([{ ...nudgeOf(row), attempts, delayMs }]);
    return 'will-retry';
  }
}

async function writeState(
  connection: PoolConnection,
  row: DeliveryRow,
  token: number,
  { next, attempts, nowMs, sentMs, answeredMs }: NextState & Instants,
): Promise<boolean> {
  const pending = next.status === 'pending';
  const [result] = await connection.query<ResultSetHeader>(
    `UPDATE deliveries SET status = ?, attempts = ?, next_attempt_ms = ?, claimed_until_ms = NULL, claim = NULL, slot = NULL, parked_ms = NULL,
       finished_ms = ?, sent_ms = ?, answered_ms = ?
     WHERE id = ? AND claim = ?`,
    [
      next.status,
      attempts,
      pending ? next.nextAttemptMs : null,
      pending ? null : nowMs,
      sentMs,
      answeredMs,
      row.id,
      token,
    ],
  );
  return result.affectedRows === 1;
}

/** The failed delivery of a `delivery_failed` event raises no further event, because that would never end. */
async function raiseFailed(connection: PoolConnection, row: DeliveryRow, nowMs: number): Promise<number[]> {
  const failed = { name: 'delivery_failed', subjectId: row.id, userId: row.owner_id } as const;
  return row.event === failed.name ? [] : raiseEvents(runOn(connection), [failed], nowMs);
}
