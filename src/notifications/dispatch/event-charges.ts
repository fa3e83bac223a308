import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { type Charged, chargeDelivery, type EventCharge, endOfMinute } from '../delivery/event-charge';

/** `actorId` caused the event; `ownerId` gets its delivery. */
export interface Parties {
  actorId: number;
  ownerId: number;
}

/** Idle charges are deleted, some at a time. */
const FORGOTTEN_AFTER_MS = 3_600_000;
const FORGOTTEN_AT_ONCE = 100;

/** Charges users for the deliveries that they cause. Lives for one transaction. */
export class EventCharges {
  private readonly changed = new Map<string, Parties & { charge: EventCharge }>();

  private constructor(
    private readonly connection: PoolConnection,
    private readonly nowMs: number,
    private readonly charges: Map<string, EventCharge>,
  ) {}

  /** Locks the charges. Users are not charged for events that they cause to themselves. */
  static async lock(connection: PoolConnection, parties: readonly Parties[], nowMs: number): Promise<EventCharges> {
    const pairs = [...new Map(parties.filter(areTwo).map((one) => [keyOf(one), one])).values()];
    const charges = new Map<string, EventCharge>();
    if (pairs.length === 0) return new EventCharges(connection, nowMs, charges);
    const ordered = pairs.sort((a, b) => a.actorId - b.actorId || a.ownerId - b.ownerId);
    // The rows exist before they are locked, so that two workers cannot both find none.
    await connection.query(
      'INSERT IGNORE INTO event_charges (actor_id, owner_id, started_ms, sent, held, summary_webhook_id) VALUES ?',
      [ordered.map(({ actorId, ownerId }) => [actorId, ownerId, nowMs, 0, 0, null])],
    );
    const [rows] = await connection.query<RowDataPacket[]>(
      `SELECT actor_id AS actorId, owner_id AS ownerId, started_ms AS startedMs, sent, held, summary_webhook_id AS summaryId
       FROM event_charges WHERE (actor_id, owner_id) IN (?) ORDER BY actor_id, owner_id FOR UPDATE`,
      [ordered.map(({ actorId, ownerId }) => [actorId, ownerId])],
    );
    for (const { actorId, ownerId, startedMs, sent, held, summaryId } of rows) {
      charges.set(keyOf({ actorId, ownerId }), { startedMs: Number(startedMs), sent, held, summaryId });
    }
    return new EventCharges(connection, nowMs, charges);
  }

  /** A summary is due at the end of the minute. */
  charge(parties: Parties, webhookId: string): { charged: Charged; dueMs: number } {
    if (!areTwo(parties)) return { charged: 'sent', dueMs: this.nowMs };
    const key = keyOf(parties);
    const { charge, charged } = chargeDelivery(this.charges.get(key), webhookId, this.nowMs);
    this.charges.set(key, charge);
    this.changed.set(key, { ...parties, charge });
    return { charged, dueMs: charged === 'sent' ? this.nowMs : endOfMinute(charge) };
  }

  /** Also writes the counts into the summaries: insert these first. */
  async store(): Promise<void> {
    const changed = [...this.changed.values()];
    if (changed.length === 0) return;
    await this.connection.query(
      `INSERT INTO event_charges (actor_id, owner_id, started_ms, sent, held, summary_webhook_id) VALUES ?
       ON DUPLICATE KEY UPDATE started_ms = VALUES(started_ms), sent = VALUES(sent), held = VALUES(held),
         summary_webhook_id = VALUES(summary_webhook_id)`,
      [
        changed.map(({ actorId, ownerId, charge: { startedMs, sent, held, summaryId } }) => [
          actorId,
          ownerId,
          startedMs,
          sent,
          held,
          summaryId,
        ]),
      ],
    );
    const summaries = changed.flatMap(({ charge }) => charge.summaryId ?? []);
    if (summaries.length > 0) {
      await this.connection.query(
        `UPDATE deliveries d JOIN event_charges c ON c.summary_webhook_id = d.webhook_id
         SET d.text = CONCAT(c.held, ' more events caused by user ', c.actor_id, ' within a minute')
         WHERE d.webhook_id IN (?) AND d.status = 'pending' AND d.attempts = 0`,
        [summaries],
      );
    }
    await this.connection.query('DELETE FROM event_charges WHERE started_ms < ? LIMIT ?', [
      this.nowMs - FORGOTTEN_AFTER_MS,
      FORGOTTEN_AT_ONCE,
    ]);
  }
}

function areTwo({ actorId, ownerId }: Parties): boolean {
  return actorId !== ownerId;
}

function keyOf({ actorId, ownerId }: Parties): string {
  return `${actorId} ${ownerId}`;
}
