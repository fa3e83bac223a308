import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../clock';
import { renderText } from '../domain/notification-text';
import type { Doorbells } from '../doorbells';
import { withRetry } from '../ingest/transaction';
import { newWebhookId } from '../ingest/turn-results';

const EVENTS_PER_RUN = 500;

/** Tells waiting events to the event notifications that match, as pending deliveries, higher priority first. */
export class EventDispatcher {
  constructor(
    private readonly pool: Pool,
    private readonly doorbells: Doorbells,
    private readonly clock: Clock,
  ) {}

  /** Handles events in order, each together with its deliveries or not at all; returns how many. */
  async dispatchWaiting(): Promise<number> {
    const { count, rings } = await withRetry(this.pool, async (connection) => {
      const [events] = await connection.query<RowDataPacket[]>(
        'SELECT * FROM events ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED',
        [EVENTS_PER_RUN],
      );
      if (events.length === 0) return { count: 0, rings: [] };
      const ids = events.map((event) => event.id);
      const [matches] = await connection.query<RowDataPacket[]>(
        `SELECT e.id AS eventId, e.name AS event, e.subject_id, e.source_id, m.id AS matchId, m.priority, n.id AS notificationId,
                n.owner_id, n.type, n.destination, n.text
         FROM events e
         JOIN event_notifications m ON m.event = e.name AND m.enabled AND m.owner_id = e.user_id
              AND (m.source_id IS NULL OR m.source_id = e.source_id)
         JOIN notifications n ON n.id = m.notification_id
         WHERE e.id IN (?) ORDER BY e.id, m.priority DESC, m.id`,
        [ids],
      );
      const nowMs = this.clock.now();
      if (matches.length > 0) {
        await connection.query(
          `INSERT INTO deliveries (webhook_id, owner_id, notification_id, type, destination, text, priority, event_id,
             event_notification_id, event, subject_id, source_id, next_attempt_ms, created_ms) VALUES ?`,
          [matches.map((match) => toDelivery(match, nowMs))],
        );
      }
      await connection.query('DELETE FROM events WHERE id IN (?)', [ids]);
      const [written] = await connection.query<RowDataPacket[]>(
        'SELECT id, priority FROM deliveries WHERE event_id IN (?) ORDER BY event_id, priority DESC, id',
        [ids],
      );
      return { count: events.length, rings: written };
    });
    await this.doorbells.deliveries(
      rings.map((row) => ({
        deliveryId: Number(row.id),
        attempts: 0,
        priority: Number(row.priority),
        cause: 'event' as const,
      })),
    );
    return count;
  }
}

function toDelivery(match: RowDataPacket, nowMs: number): unknown[] {
  const text = renderText(String(match.text), {
    event: match.event,
    subject_id: match.subject_id,
    source_id: match.source_id,
    user_id: match.owner_id,
  });
  return [
    newWebhookId(),
    match.owner_id,
    match.notificationId,
    match.type,
    match.destination,
    text,
    match.priority,
    match.eventId,
    match.matchId,
    match.event,
    match.subject_id,
    match.source_id,
    nowMs,
    nowMs,
  ];
}
