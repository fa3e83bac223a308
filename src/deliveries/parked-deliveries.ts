import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { DeliveryWakeUp } from '../../jobs/delivery.job';
import { deliveryPriority } from '../../jobs/priority';
import type { Clock } from '../clock';
import { inPoolTransaction } from '../database/transaction';
import type { JobQueue } from '../redis/job-queue';
import type { DeliveryRow } from './attempt';
import { WAKE_UP_COLUMNS, type WakeUpRow, wakeUpOf } from './delivery-wake-up';
import { DEGRADED_AFTER } from './receiver-health';
import type { ReceiverSlots } from './receiver-slots';

/** Woken at once when a slot is freed: more than one, so that a receiver that recovers soon has its full share. */
const WOKEN_AT_ONCE = 2;
/** Receivers that one sweep looks after. */
const RECEIVERS_PER_SWEEP = 500;

/**
 * Deliveries that are due while their receiver has no free slot wait here, apart from all others: neither the sweep nor
 * the queue meets them until a slot is freed. Then the most urgent go first.
 */
export class ParkedDeliveries {
  constructor(
    private readonly pool: Pool,
    private readonly slots: ReceiverSlots,
    private readonly jobQueue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Parks a due delivery, unless something has become of it meanwhile. */
  async park(row: DeliveryRow): Promise<void> {
    const nowMs = this.clock.now();
    const { priority, cause } = wakeUpOf(row);
    const rank = deliveryPriority(priority, cause);
    await inPoolTransaction(this.pool, async (connection) => {
      const [result] = await connection.query<ResultSetHeader>(
        `UPDATE deliveries SET parked_ms = next_attempt_ms, next_attempt_ms = NULL
         WHERE id = ? AND status = 'pending' AND next_attempt_ms <= ? AND (claimed_until_ms IS NULL OR claimed_until_ms <= ?)`,
        [row.id, nowMs, nowMs],
      );
      if (result.affectedRows === 0) return;
      await connection.query('INSERT IGNORE INTO parked_deliveries (receiver, priority_rank, delivery_id) VALUES (?)', [
        [row.receiver, rank, row.id],
      ]);
    });
  }

  /** Makes the most urgent ones of a receiver due again, as many as it has slots for, and rings for them. */
  async wake(receiver: string, isDegraded: boolean, most = WOKEN_AT_ONCE): Promise<void> {
    const [waiting] = await this.pool.query<RowDataPacket[]>(
      'SELECT 1 FROM parked_deliveries WHERE receiver = ? LIMIT 1',
      [receiver],
    );
    if (waiting.length === 0) return;
    const free = (await this.slots.free(receiver, isDegraded)).length;
    if (free === 0) return;
    const count = Math.min(free, most);
    const wakeUps = await inPoolTransaction(this.pool, (connection) =>
      takeOut(connection, receiver, count, this.clock.now()),
    );
    await this.jobQueue.enqueueDeliveries(wakeUps);
  }

  /** The same for receivers with nothing under way that would end and wake the next: some of them, by chance. */
  async wakeAll(): Promise<void> {
    const [receivers] = await this.pool.query<(RowDataPacket & { receiver: string; failures: number })[]>(
      `SELECT p.receiver, COALESCE(a.failures, 0) AS failures
       FROM (SELECT DISTINCT receiver FROM parked_deliveries) p LEFT JOIN ailing_receivers a ON a.receiver = p.receiver
       ORDER BY RAND() LIMIT ?`,
      [RECEIVERS_PER_SWEEP],
    );
    for (const { receiver, failures } of receivers) {
      await this.wake(receiver, failures >= DEGRADED_AFTER, Number.POSITIVE_INFINITY);
    }
  }
}

async function takeOut(
  connection: PoolConnection,
  receiver: string,
  count: number,
  nowMs: number,
): Promise<DeliveryWakeUp[]> {
  const [parked] = await connection.query<(RowDataPacket & { id: number })[]>(
    `SELECT delivery_id AS id FROM parked_deliveries WHERE receiver = ? ORDER BY priority_rank, delivery_id LIMIT ?
     FOR UPDATE SKIP LOCKED`,
    [receiver, count],
  );
  if (parked.length === 0) return [];
  const ids = parked.map(({ id }) => id);
  await connection.query(
    `UPDATE deliveries SET next_attempt_ms = ?, parked_ms = NULL
     WHERE id IN (?) AND status = 'pending' AND next_attempt_ms IS NULL`,
    [nowMs, ids],
  );
  await connection.query('DELETE FROM parked_deliveries WHERE receiver = ? AND delivery_id IN (?)', [receiver, ids]);
  const [rows] = await connection.query<(RowDataPacket & WakeUpRow)[]>(
    `SELECT ${WAKE_UP_COLUMNS} FROM deliveries
     WHERE id IN (?) AND status = 'pending' ORDER BY priority DESC, id`,
    [ids],
  );
  return rows.map((row) => ({ ...wakeUpOf(row), wasParked: true }));
}
