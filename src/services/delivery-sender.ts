import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Channel } from '../channels/channel';
import type { Clock } from '../clock';
import type { AttemptOutcome } from '../domain/delivery-schedule';
import type { AttemptLog, AttemptResult } from './attempt-log';
import { toOutgoing } from './outgoing-delivery';

/** For this long an attempt belongs to the worker that began it; after that it is taken for dead. */
const CLAIM_MS = 45_000;

/** Makes the attempts of deliveries and writes each of them down. At least once, always under the same id. */
export class DeliverySender {
  constructor(
    private readonly pool: Pool,
    private readonly channels: { email: Channel; url: Channel },
    private readonly log: AttemptLog,
    private readonly clock: Clock,
    private readonly publicUrl: string,
  ) {}

  /** Makes the attempt that is due now. Harmless to call twice, at once or again: a claim on the row lets one pass. */
  async attempt(deliveryId: number): Promise<AttemptResult | 'not due'> {
    const claimedUntilMs = await this.claim(deliveryId);
    if (claimedUntilMs === undefined) return 'not due';
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT d.*, n.signing_secret, n.replaced_secrets, n.enabled, n.disabled_reason, n.failing_since_ms,
              n.destination AS present_destination
       FROM deliveries d LEFT JOIN notifications n ON n.id = d.notification_id WHERE d.id = ?`,
      [deliveryId],
    );
    const row = rows[0];
    if (!row) return 'not due';
    const startedMs = this.clock.now();
    const started = performance.now();
    const held = whyNotSent(row);
    const outcome: AttemptOutcome = held ? { kind: 'refused', reason: held } : await this.send(row, startedMs);
    const durationMs = Math.round(performance.now() - started);
    return this.log.record(row, { outcome, claimedUntilMs, startedMs, durationMs, wasSent: held === null });
  }

  private async claim(deliveryId: number): Promise<number | undefined> {
    const nowMs = this.clock.now();
    const [result] = await this.pool.query<ResultSetHeader>(
      `UPDATE deliveries SET claimed_until_ms = ?
       WHERE id = ? AND status = 'pending' AND next_attempt_ms <= ? AND (claimed_until_ms IS NULL OR claimed_until_ms <= ?)`,
      [nowMs + CLAIM_MS, deliveryId, nowMs, nowMs],
    );
    return result.affectedRows === 1 ? nowMs + CLAIM_MS : undefined;
  }

  private send(row: RowDataPacket, nowMs: number): Promise<AttemptOutcome> {
    const channel = row.type === 'email' ? this.channels.email : this.channels.url;
    return channel.send(toOutgoing(row, this.publicUrl, nowMs));
  }
}

/** Why a delivery must not go out at all, or null when it may. */
function whyNotSent(row: RowDataPacket): string | null {
  if (row.signing_secret === null) return 'the notification was deleted';
  // What is neither of a trigger nor of an event was asked for: a try-out, or a mail to the owner about this very thing.
  const wasAskedFor = row.event === null && row.trigger_id === null;
  if (row.enabled || wasAskedFor) return null;
  return `the notification is switched off (${row.disabled_reason})`;
}
