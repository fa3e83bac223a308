import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { parkedRank } from '../../jobs/priority';
import type { Clock } from '../clock';
import { inPoolTransaction } from '../database/transaction';
import type { JobQueue } from '../redis/job-queue';
import type { DeliveryRow } from './attempt';
import { wakeUpOf } from './delivery-wake-up';
import { lockParked, makeDue, mostUrgentNotPaused, mostUrgentOfEach, NOT_PAUSED } from './parked-rows';
import { DEGRADED_AFTER } from './receiver-health';
import type { ReceiverSlots, ReceiverState } from './receiver-slots';

/** Deliveries to wake when one slot is freed: more than one, so that a receiver that recovers soon uses all its slots. */
const WOKEN_PER_SLOT = 2;
/** So many may do so at the same time for one receiver, each with other deliveries. */
const WAKERS = 4;
/** Receivers that one sweep wakes, and those of one transaction. */
const RECEIVERS_PER_SWEEP = 500;
const RECEIVERS_PER_TRANSACTION = 50;

/**
 * Keeps deliveries that are due while their receiver has no free slot apart from all others: neither the sweep nor the
 * queue processes them until a slot is freed. Then the most urgent go first.
 */
export class ParkedDeliveries {
  constructor(
    private readonly pool: Pool,
    private readonly slots: ReceiverSlots,
    private readonly jobQueue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Parks a due delivery until its receiver, or whatever else it waits for, has a slot; unless it has changed meanwhile. */
  async park(row: DeliveryRow, lane = row.receiver): Promise<void> {
    const nowMs = this.clock.now();
    const { priority, cause } = wakeUpOf(row);
    const rank = parkedRank(priority, cause);
    await inPoolTransaction(this.pool, async (connection) => {
      const [result] = await connection.query<ResultSetHeader>(
        `UPDATE deliveries SET parked_ms = next_attempt_ms, next_attempt_ms = NULL
         WHERE id = ? AND status = 'pending' AND next_attempt_ms <= ? AND (claimed_until_ms IS NULL OR claimed_until_ms <= ?)`,
        [row.id, nowMs, nowMs],
      );
      if (result.affectedRows === 0) return;
      await connection.query('INSERT IGNORE INTO parked_deliveries (receiver, priority_rank, delivery_id) VALUES (?)', [
        [lane, rank, row.id],
      ]);
    });
  }

  /** Makes the most urgent deliveries of a receiver due again, two at most and no more than it has free slots. */
  async wake(receiver: string, isDegraded: boolean): Promise<void> {
    const candidates = await mostUrgentNotPaused(this.pool, receiver, WOKEN_PER_SLOT * WAKERS);
    if (candidates.length === 0) return;
    const free = (await this.slots.free(receiver, isDegraded)).length;
    if (free === 0) return;
    const count = Math.min(free, WOKEN_PER_SLOT);
    const wakeUps = await inPoolTransaction(this.pool, async (connection) =>
      makeDue(connection, await lockParked(connection, candidates, count), this.clock.now()),
    );
    await this.jobQueue.enqueueDeliveries(wakeUps);
  }

  /**
   * Makes as many deliveries due as there are free slots, for up to 500 random receivers: those without an attempt under
   * way would otherwise wait permanently. The number of statements does not grow with each receiver.
   */
  async wakeAll(): Promise<void> {
    const free = await this.slots.freeOfEach(await this.waitingReceivers());
    const wanted = [...free]
      .map(([receiver, slots]) => ({ receiver, count: slots.length }))
      .filter(({ count }) => count > 0);
    for (let start = 0; start < wanted.length; start += RECEIVERS_PER_TRANSACTION) {
      const candidates = await mostUrgentOfEach(this.pool, wanted.slice(start, start + RECEIVERS_PER_TRANSACTION));
      const wakeUps = await inPoolTransaction(this.pool, async (connection) =>
        makeDue(connection, await lockParked(connection, candidates), this.clock.now()),
      );
      await this.jobQueue.enqueueDeliveries(wakeUps);
    }
  }

  private async waitingReceivers(): Promise<ReceiverState[]> {
    const [rows] = await this.pool.query<(RowDataPacket & { receiver: string; failures: number })[]>(
      `SELECT p.receiver, COALESCE(a.failures, 0) AS failures
       FROM (SELECT DISTINCT d.receiver FROM parked_deliveries d WHERE ${NOT_PAUSED}) p LEFT JOIN degraded_receivers a ON a.receiver = p.receiver
       ORDER BY RAND() LIMIT ?`,
      [RECEIVERS_PER_SWEEP],
    );
    return rows.map(({ receiver, failures }) => ({ receiver, isDegraded: failures >= DEGRADED_AFTER }));
  }
}
