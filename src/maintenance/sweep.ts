import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../clock';
import { partitionsOf } from '../database/due-slots';
import { WAKE_UP_COLUMNS, type WakeUpRow, wakeUpOf } from '../deliveries/delivery-wake-up';
import type { ParkedDeliveries } from '../deliveries/parked-deliveries';
import type { JobQueue } from '../redis/job-queue';

const DELIVERIES_PER_SWEEP = 1_000;
/** A receiver with more of them than this is crowded. */
const CROWD = DELIVERIES_PER_SWEEP / 10;

interface DueRow extends WakeUpRow {
  receiver: string | null;
}

/** Enqueues wake-ups for rows whose own wake-up was lost: the polling publisher of the outbox. */
export class Sweep {
  constructor(
    private readonly pool: Pool,
    private readonly jobQueue: JobQueue,
    private readonly parked: ParkedDeliveries,
    private readonly clock: Clock,
    private readonly partitions: { readonly count: number },
  ) {}

  /** Wakes up every partition with waiting points or due inactivities, the event dispatch, and the training of services. */
  async enqueueWaiting(): Promise<void> {
    const nowMs = this.clock.now();
    await this.jobQueue.enqueueTurns(await this.waitingPartitions(nowMs));
    const [events] = await this.pool.query<RowDataPacket[]>(
      'SELECT id FROM events WHERE retry_at_ms IS NULL OR retry_at_ms <= ? LIMIT 1',
      [nowMs],
    );
    if (events.length > 0) await this.jobQueue.enqueueEventDispatch();
    const [trainingJobs] = await this.pool.query<RowDataPacket[]>(
      "SELECT DISTINCT service_id AS serviceId, try_again_ms AS tryAgainMs FROM training_jobs WHERE status = 'pending'",
    );
    const waiting = new Set(trainingJobs.map(({ serviceId }) => Number(serviceId)));
    for (const { serviceId, tryAgainMs } of trainingJobs) if (tryAgainMs > nowMs) waiting.delete(Number(serviceId));
    await this.jobQueue.enqueueTraining(waiting);
  }

  /** Wakes up overdue deliveries, and parked ones whose receiver has a free slot. */
  async enqueueDeliveries(): Promise<void> {
    await this.enqueueOverdue(this.clock.now());
    await this.parked.wakeAll();
  }

  /** When most of what is due goes to a few receivers, the others are looked for separately, so that no backlog hides them. */
  private async enqueueOverdue(nowMs: number): Promise<void> {
    const oldest = await this.readDue(nowMs, []);
    const crowded = oldest.length < DELIVERIES_PER_SWEEP ? [] : crowdedReceivers(oldest);
    const others = crowded.length === 0 ? [] : await this.readDue(nowMs, crowded);
    await this.jobQueue.enqueueDeliveries([...others, ...oldest].map(wakeUpOf));
  }

  private async readDue(nowMs: number, except: string[]): Promise<DueRow[]> {
    const [rows] = await this.pool.query<(RowDataPacket & DueRow)[]>(
      `SELECT ${WAKE_UP_COLUMNS}, receiver FROM deliveries
       WHERE status = 'pending' AND next_attempt_ms <= ? AND (claimed_until_ms IS NULL OR claimed_until_ms <= ?)
         ${except.length > 0 ? 'AND (receiver IS NULL OR receiver NOT IN (?))' : ''}
       ORDER BY next_attempt_ms LIMIT ?`,
      [nowMs, nowMs, ...(except.length > 0 ? [except] : []), DELIVERIES_PER_SWEEP],
    );
    return rows;
  }

  private async waitingPartitions(nowMs: number): Promise<Set<number>> {
    const [waiting] = await this.pool.query<RowDataPacket[]>(
      'SELECT DISTINCT partition_no AS partitionNo FROM inbox_batches',
    );
    const due = partitionsOf(await this.dueSlots(nowMs), this.partitions.count);
    return new Set([...waiting.map((row) => Number(row.partitionNo)), ...due]);
  }

  /** A look at the index for each slot. While no process accepts uploads nobody is inactive, so nothing is due. */
  private async dueSlots(nowMs: number): Promise<number[]> {
    const [beats] = await this.pool.query<RowDataPacket[]>('SELECT accepting_until_ms AS untilMs FROM heartbeats');
    const [rows] = await this.pool.query<RowDataPacket[]>(
      'SELECT due_slot AS slot, MIN(due_at_ms) AS dueMs FROM sensor_triggers WHERE due_at_ms <= ? GROUP BY due_slot',
      [Math.min(nowMs, Number(beats[0]?.untilMs ?? 0))],
    );
    return rows.map(({ slot }) => Number(slot));
  }
}

function crowdedReceivers(rows: readonly DueRow[]): string[] {
  const counts = new Map<string, number>();
  for (const { receiver } of rows) {
    if (receiver !== null) counts.set(receiver, (counts.get(receiver) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > CROWD).map(([receiver]) => receiver);
}
