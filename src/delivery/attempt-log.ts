import type { Pool, RowDataPacket } from 'mysql2/promise';
import { Batcher } from '../platform/batcher';
import type { Clock } from '../platform/clock';
import type { Metrics } from '../platform/metrics';
import type { JobQueue } from '../queue/job-queue';
import { type DeliveryState, nextAttempt } from '../rules/delivery-schedule';
import { isAway } from '../storage/mysql-errors';
import type { AttemptContext, AttemptResult, DeliveryRow } from './attempt';
import { type Consequences, LeaseLost, type MadeAttempt, recordAttempts } from './attempt-rows';
import { nudgeOf } from './delivery-nudge';
import { instantsOf, observeStages } from './delivery-stages';
import { makePendingDue } from './notification-switch';

/**
 * Attempts that share a transaction, and concurrent transactions. A locked row delays only the attempts of its group.
 */
const TOGETHER = { most: 100, atOnce: 2 };

/** Records attempts and their consequences: the next attempt, events, and a disabled destination. */
export class AttemptLog {
  private readonly made = new Batcher((group: readonly MadeAttempt[]) => recordAttempts(this.pool, group), TOGETHER);

  constructor(
    private readonly pool: Pool,
    private readonly jobQueue: Pick<JobQueue, 'enqueueEventDispatch'>,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Records an attempt, together with those that end at the same time. Returns the delivery's new state. Its retry, and
   * a mail that its owner gets, are in the nudges of the context.
   */
  async record(context: AttemptContext): Promise<AttemptResult> {
    const { row, lease, attempt, whyNotSent } = context;
    if (!lease || !attempt) throw new Error('only an attempt that was made can be recorded');
    const nowMs = this.clock.now();
    const attempts = row.attempts + 1;
    const next = nextAttempt(attempt.outcome, attempts, nowMs, Math.random);
    const { mails, hasEvents } = await this.write({ lease, attempt, whyNotSent, next, nowMs });
    if (mails) {
      await makePendingDue(this.pool, row.notification_id, nowMs);
      context.nudges.push(...mails);
    }
    if (hasEvents) await this.jobQueue.enqueueEventDispatch([row.owner_id]);
    observeStages(this.metrics, row, instantsOf(attempt, whyNotSent));
    this.metrics.attempts.inc({ type: row.type, outcome: attempt.outcome.kind });
    if (next.status !== 'pending') {
      this.countEnded(row, next, nowMs);
      return next.status;
    }
    const delayMs = Math.max(0, next.nextAttemptMs - nowMs);
    context.nudges.push({ ...nudgeOf(row), attempts, delayMs });
    return 'will-retry';
  }

  /** Reason for the failure of the latest attempt; empty if it succeeded. Without addresses or values. */
  async latestError(deliveryId: number): Promise<string> {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      'SELECT error FROM delivery_attempts WHERE delivery_id = ? ORDER BY id DESC LIMIT 1',
      [deliveryId],
    );
    return rows[0]?.error ?? '';
  }

  /** No attempt is lost because of an error of another one: each is then recorded alone. */
  private async write(made: MadeAttempt): Promise<Consequences> {
    try {
      return await this.made.add(made);
    } catch (error) {
      if (isAway(error)) throw error;
    }
    const [consequences] = await recordAttempts(this.pool, [made]);
    if (!consequences) throw new LeaseLost();
    return consequences;
  }

  private countEnded(row: DeliveryRow, { status }: DeliveryState, nowMs: number): void {
    this.metrics.endedDeliveries.inc({ type: row.type, status });
    if (status === 'delivered' && row.received_ms !== null) {
      this.metrics.pointToDelivery.observe((nowMs - row.received_ms) / 1000);
    }
  }
}
