import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Channel, OutgoingDelivery } from '../channels/channel';
import type { Clock } from '../clock';
import type { AttemptOutcome } from '../domain/delivery-schedule';
import { nextAttempt } from '../domain/delivery-schedule';
import { readReplacedSecrets, signingSecrets } from '../domain/signing-secrets';
import type { Doorbells } from '../doorbells';
import { raiseEvents, runOn } from '../ingest/event-rows';
import { withRetry } from '../ingest/transaction';
import type { Metrics } from '../metrics';

/** For this long an attempt belongs to the worker that began it; after that it is taken for dead. */
const CLAIM_MS = 45_000;

/** What became of a doorbell. */
export type AttemptResult = 'not due' | 'delivered' | 'failed' | 'will retry';

/** Makes the attempts of deliveries and writes each of them down. At least once, always under the same id. */
export class DeliverySender {
  constructor(
    private readonly pool: Pool,
    private readonly channels: { email: Channel; url: Channel },
    private readonly doorbells: Doorbells,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /** Makes the attempt that is due now. Harmless to call twice, at once or again: a claim on the row lets one pass. */
  async attempt(deliveryId: number): Promise<AttemptResult> {
    const claimedUntilMs = await this.claim(deliveryId);
    if (claimedUntilMs === undefined) return 'not due';
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT d.*, n.signing_secret, n.replaced_secrets FROM deliveries d LEFT JOIN notifications n ON n.id = d.notification_id
       WHERE d.id = ?`,
      [deliveryId],
    );
    const row = rows[0];
    if (!row) return 'not due';
    const startedMs = this.clock.now();
    const started = performance.now();
    const outcome = await this.send(row);
    const durationMs = Math.round(performance.now() - started);
    return this.record(row, claimedUntilMs, outcome, startedMs, durationMs);
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

  private async send(row: RowDataPacket): Promise<AttemptOutcome> {
    if (row.signing_secret === null) return { kind: 'refused', reason: 'the notification was deleted' };
    const channel = row.type === 'email' ? this.channels.email : this.channels.url;
    return channel.send(toOutgoing(row, this.clock.now()));
  }

  private async record(
    row: RowDataPacket,
    claimedUntilMs: number,
    outcome: AttemptOutcome,
    startedMs: number,
    durationMs: number,
  ): Promise<AttemptResult> {
    const nowMs = this.clock.now();
    const attempts = Number(row.attempts) + 1;
    const next = nextAttempt(outcome, attempts, nowMs, Math.random);
    const pending = next.status === 'pending';
    const raised = await withRetry(this.pool, async (connection) => {
      await connection.query(
        'INSERT INTO delivery_attempts (delivery_id, date_ms, status_code, duration_ms, error) VALUES (?)',
        [[row.id, startedMs, outcome.statusCode ?? null, durationMs, reasonOf(outcome)]],
      );
      // Only while the claim is ours: an attempt that outlived it must not undo what its successor wrote.
      const [result] = await connection.query<ResultSetHeader>(
        `UPDATE deliveries SET status = ?, attempts = ?, next_attempt_ms = ?, claimed_until_ms = NULL, finished_ms = ?
         WHERE id = ? AND claimed_until_ms = ?`,
        [next.status, attempts, pending ? next.nextAttemptMs : null, pending ? null : nowMs, row.id, claimedUntilMs],
      );
      return next.status === 'failed' && result.affectedRows === 1 ? raiseFailed(connection, row, nowMs) : 0;
    });
    if (raised > 0) await this.doorbells.events();
    this.metrics.attempts.inc({ type: row.type, outcome: outcome.kind });
    if (next.status !== 'pending') {
      if (next.status === 'delivered' && row.received_ms !== null) {
        this.metrics.pointToDelivery.observe((nowMs - Number(row.received_ms)) / 1000);
      }
      return next.status;
    }
    const cause = row.event === null ? 'trigger' : 'event';
    const delayMs = Math.max(0, next.nextAttemptMs - nowMs);
    await this.doorbells.deliveries([{ deliveryId: row.id, attempts, priority: row.priority, cause, delayMs }]);
    return 'will retry';
  }
}

/** A failure to tell of a failure is not told: that would never end. */
async function raiseFailed(connection: PoolConnection, row: RowDataPacket, nowMs: number): Promise<number> {
  const failed = { name: 'delivery_failed', subjectId: Number(row.id), userId: Number(row.owner_id) } as const;
  return row.event === failed.name ? 0 : raiseEvents(runOn(connection), [failed], nowMs);
}

function reasonOf(outcome: AttemptOutcome): string | null {
  return outcome.kind === 'delivered' ? null : outcome.reason.slice(0, 500);
}

function toOutgoing(row: RowDataPacket, nowMs: number): OutgoingDelivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    type: row.type,
    destination: row.destination,
    text: row.text,
    form: formOf(row),
    subject: subjectOf(row),
    signingSecrets: signingSecrets(row.signing_secret, readReplacedSecrets(row.replaced_secrets), nowMs),
  };
}

/** The form fields that the specification names, for a trigger, an event, or a try-out of the notification. */
function formOf(row: RowDataPacket): Record<string, string> {
  const text = String(row.text);
  if (row.event !== null) {
    return {
      event: String(row.event),
      ...(row.subject_id === null ? {} : { subject_id: String(row.subject_id) }),
      ...(row.source_id === null ? {} : { source_id: String(row.source_id) }),
      user_id: String(row.owner_id),
      ...(text === '' ? {} : { text }),
    };
  }
  if (row.trigger_id === null) return { text };
  return { sensor_id: String(row.sensor_id), trigger_id: String(row.trigger_id), text };
}

function subjectOf(row: RowDataPacket): string {
  if (row.event !== null) return `Event ${row.event}`;
  if (row.trigger_id === null) return 'Test of a notification';
  return `Trigger ${row.trigger_id} fired on sensor ${row.sensor_id}`;
}
