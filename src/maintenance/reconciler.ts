import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../jobs/delivery.job';
import { type Delivery, NUDGE_COLUMNS, type NudgeRow, nudgeOf } from '../notifications';
import type { Clock } from '../platform/clock';
import type { JobQueue } from '../queue/job-queue';
import { readWaiting } from './waiting-work';

const DELIVERIES_PER_RUN = 1_000;
/** With more of the oldest due deliveries, a receiver or owner is crowded. */
const CROWD = DELIVERIES_PER_RUN / 10;

export class Reconciler {
  constructor(
    private readonly pool: Pool,
    private readonly jobQueue: JobQueue,
    private readonly delivery: Pick<Delivery, 'runner' | 'receivers' | 'late'>,
    /** Makes probes of notifications. */
    private readonly probes: { insertDue(): Promise<DeliveryNudge[]> },
    private readonly clock: Clock,
  ) {}

  async enqueueWaiting(): Promise<void> {
    const nowMs = this.clock.now();
    const waiting = await readWaiting(this.pool, nowMs);
    await this.jobQueue.nudgeEvaluation(waiting.partitions);
    if (waiting.hasEvents) await this.jobQueue.enqueueEventDispatch();
    await this.jobQueue.enqueueTraining(waiting.services);
  }

  /** Overdue ones, throttled ones whose receiver has a free permit, and due probes. Reports late alerts. */
  async startDeliveries(): Promise<void> {
    await this.startOverdue(this.clock.now());
    await this.delivery.runner.start(await this.delivery.receivers.wakeAll());
    await this.delivery.runner.start(await this.probes.insertDue());
    await this.delivery.runner.start(await this.delivery.late.report());
  }

  /** If a few receivers or owners have most of them, the others are read separately: no backlog hides them. */
  private async startOverdue(nowMs: number): Promise<void> {
    const oldest = await this.readDue(nowMs);
    const due = new Map(oldest.map((row) => [row.id, row]));
    for (const column of oldest.length < DELIVERIES_PER_RUN ? [] : CROWDING) {
      const crowded = crowdedIn(oldest, column);
      if (crowded.length === 0) continue;
      const others = await this.readDue(nowMs, `AND (${column} IS NULL OR ${column} NOT IN (?))`, [crowded]);
      // A delivery that several reads have found is started once.
      for (const row of others) due.set(row.id, row);
    }
    const rows = [...due.values()].sort((a, b) => Number(b.critical) - Number(a.critical));
    await this.delivery.runner.start(rows.map(nudgeOf));
  }

  private async readDue(nowMs: number, except = '', crowded: unknown[] = []): Promise<NudgeRow[]> {
    const [rows] = await this.pool.query<(RowDataPacket & NudgeRow)[]>(
      `SELECT ${NUDGE_COLUMNS} FROM deliveries
       WHERE status = 'pending' AND next_attempt_ms <= ? AND (claimed_until_ms IS NULL OR claimed_until_ms <= ?) ${except}
       ORDER BY next_attempt_ms LIMIT ?`,
      [nowMs, nowMs, ...crowded, DELIVERIES_PER_RUN],
    );
    return rows;
  }
}

/** A crowd shares one of these. */
const CROWDING = ['receiver', 'owner_id'] as const;

function crowdedIn(rows: readonly NudgeRow[], column: (typeof CROWDING)[number]): (string | number)[] {
  const counts = new Map<string | number, number>();
  for (const { [column]: value } of rows) {
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > CROWD).map(([value]) => value);
}
