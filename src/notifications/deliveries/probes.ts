import type { Pool, PoolConnection } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import { Words } from '../../platform/words/words';
import { isPermanent } from '../../storage/mysql-errors';
import { inPoolTransaction, runOn } from '../../storage/transaction';
import type { Alert } from '../delivery/alert';
import { insertDelivery } from '../delivery/delivery-rows';
import { nextProbeMs, probeText } from '../delivery/probe';
import { composeTest } from './test-alerts';

/** The next run takes the others, the oldest first. */
const PROBES_PER_RUN = 200;
/** Overdue deliveries wait for the end of a run. */
const MAX_MS = 500;

/**
 * One transaction with a locked row writes a probe and the time of the next one: so each period has one probe, whatever
 * process dies and however many workers run.
 */
export class Probes {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly maxMs = MAX_MS,
  ) {}

  /** Returns nudges to be started. */
  async insertDue(): Promise<DeliveryNudge[]> {
    const due = await runOn(this.pool)(
      'SELECT id FROM notifications WHERE probe_due_ms <= ? ORDER BY probe_due_ms LIMIT ?',
      [this.clock.now(), PROBES_PER_RUN],
    );
    const nudges: DeliveryNudge[] = [];
    const untilMs = performance.now() + this.maxMs;
    for (const { id } of due) {
      nudges.push(...(await this.insert(Number(id))));
      if (performance.now() > untilMs) break;
    }
    return nudges;
  }

  /** A probe that cannot be made must not prevent the others: its period passes without it. */
  private async insert(id: number): Promise<DeliveryNudge[]> {
    const nowMs = this.clock.now();
    try {
      const { alert } = await composeTest(this.pool, id, { nowMs, words: Words.english });
      return await inPoolTransaction(this.pool, (connection) => insertProbe(connection, { id, alert, nowMs }));
    } catch (error) {
      if (!isPermanent(error)) throw error;
      this.logger.error({ notificationId: id, err: error }, 'a probe could not be made');
      await this.pool.query('UPDATE notifications SET probe_due_ms = ? + probe_s * 1000 WHERE id = ?', [nowMs, id]);
      return [];
    }
  }
}

/**
 * Makes no probe while the notification is disabled or waits for consent, an earlier probe is pending, or the account
 * is disabled or closed.
 */
async function insertProbe(
  connection: PoolConnection,
  { id, alert, nowMs }: { id: number; alert: Alert | undefined; nowMs: number },
): Promise<DeliveryNudge[]> {
  const run = runOn(connection);
  const [found] = await run(
    `SELECT owner_id, type, destination, probe_s, probe_due_ms, enabled AND confirmed AS isOn,
       EXISTS (SELECT 1 FROM users u WHERE u.id = n.owner_id AND u.closed_ms IS NULL AND u.disabled_ms IS NULL) AS hasOwner,
       EXISTS (SELECT 1 FROM deliveries d WHERE d.notification_id = n.id AND d.status = 'pending' AND d.kind = 'probe') AS isPending
     FROM notifications n WHERE id = ? AND probe_due_ms <= ? FOR UPDATE`,
    [id, nowMs],
  );
  if (!found) return [];
  const periodS = Number(found.probe_s);
  const nextMs = nextProbeMs(Number(found.probe_due_ms), periodS, nowMs);
  await run('UPDATE notifications SET probe_due_ms = ? WHERE id = ?', [nextMs, id]);
  if (!found.isOn || !found.hasOwner || found.isPending) return [];
  const ownerId = Number(found.owner_id);
  const destination = { type: String(found.type), destination: String(found.destination) };
  const deliveryId = await insertDelivery(connection, {
    ...{ ownerId, notificationId: id, kind: 'probe', ...destination },
    ...{ text: probeText(periodS), details: alert, nextAttemptMs: nowMs, createdMs: nowMs },
  });
  return [{ deliveryId, ownerId, attempts: 0, priority: 0, cause: 'trigger' }];
}
