import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { raiseEvents } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import type { JobQueue } from '../../queue/job-queue';
import { inPoolTransaction, runOn } from '../../storage/transaction';
import type { DeliveryRow } from './attempt';
import { isMail } from './mail/mail-recipients';
import { insertNotice } from './owner-notices';
import { waitingText } from './waiting';
import { readWaiting } from './waiting-deliveries';

const MINUTE_MS = 60_000;
/** Shortest time between reports about a notification. */
const NEW_LATE_MS = 5 * MINUTE_MS;
const STILL_LATE_MS = 60 * MINUTE_MS;
const MOST_PER_RUN = 100;

const UNREPORTED = `(n.late_reported_ms IS NULL OR n.late_reported_ms <= ?
  OR (n.late_reported_ms <= ? AND d.late_ms > n.late_reported_ms))`;

/**
 * Reports critical firings that wait five minutes after they were due. The event reaches another channel; the owner
 * gets a mail, unless mails are what waits.
 */
export class LateAlerts {
  constructor(
    private readonly pool: Pool,
    private readonly jobQueue: Pick<JobQueue, 'enqueueEventDispatch'>,
    private readonly clock: Clock,
  ) {}

  /** Returns nudges. */
  async report(): Promise<DeliveryNudge[]> {
    const nowMs = this.clock.now();
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT n.id, MIN(d.id) AS deliveryId FROM deliveries d JOIN notifications n ON n.id = d.notification_id AND n.enabled
       WHERE d.status = 'pending' AND d.late_ms <= ? AND ${UNREPORTED} GROUP BY n.id LIMIT ?`,
      [nowMs, nowMs - STILL_LATE_MS, nowMs - NEW_LATE_MS, MOST_PER_RUN],
    );
    const nudges: DeliveryNudge[] = [];
    for (const { id, deliveryId } of rows)
      nudges.push(...(await this.reportOne(Number(id), Number(deliveryId), nowMs)));
    return nudges;
  }

  private async reportOne(id: number, deliveryId: number, nowMs: number): Promise<DeliveryNudge[]> {
    const reported = await inPoolTransaction(this.pool, (connection) => write(connection, id, deliveryId, nowMs));
    if (reported) await this.jobQueue.enqueueEventDispatch([reported.ownerId]);
    return reported?.mails ?? [];
  }
}

async function write(
  connection: PoolConnection,
  id: number,
  deliveryId: number,
  nowMs: number,
): Promise<{ ownerId: number; mails: DeliveryNudge[] } | undefined> {
  const run = runOn(connection);
  await run('SELECT id FROM notifications WHERE id = ? FOR UPDATE', [id]);
  const [row] = await connection
    .query<(RowDataPacket & DeliveryRow)[]>(
      `SELECT d.* FROM deliveries d JOIN notifications n ON n.id = d.notification_id
     WHERE d.id = ? AND d.status = 'pending' AND ${UNREPORTED}`,
      [deliveryId, nowMs - STILL_LATE_MS, nowMs - NEW_LATE_MS],
    )
    .then(([rows]) => rows);
  const waiting = (await readWaiting(run, [id], nowMs)).get(id);
  if (!row || !waiting) return undefined;
  await run('UPDATE notifications SET late_reported_ms = ? WHERE id = ?', [nowMs, id]);
  await raiseEvents(run, [{ name: 'notification_failing', subjectId: id, userId: row.owner_id }], nowMs);
  const notice = { kind: 'late', waiting: [waitingText(waiting, String(id))] } as const;
  return { ownerId: row.owner_id, mails: isMail(row.type) ? [] : await insertNotice(connection, row, notice, nowMs) };
}
