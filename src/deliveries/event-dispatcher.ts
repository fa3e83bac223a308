import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryWakeUp } from '../../jobs/delivery.job';
import type { Clock } from '../clock';
import { inPoolTransaction } from '../database/transaction';
import { type EventInterest, matchEvents, type WaitingEvent } from '../domain/event-matching';
import { renderText } from '../domain/notification-text';
import type { JobQueue } from '../redis/job-queue';
import { insertDeliveries, type NewDelivery } from './delivery-rows';
import { WAKE_UP_COLUMNS, type WakeUpRow, wakeUpOf } from './delivery-wake-up';

/** Bounds of one transaction: rows that are looked at, and users whom they may concern. */
const EVENTS_PER_BATCH = 500;
const USERS_PER_BATCH = 2_000;
/** Batches of one call; what waits longer gets a new ring, so that a worker can stop in between. */
const BATCHES_PER_RUN = 20;

interface EventRow extends WaitingEvent {
  subjectId: number | null;
}

interface ToldRow extends WakeUpRow {
  eventId: number;
  ownerId: number;
  receiver: string;
}

interface Destination extends EventInterest {
  notificationId: number;
  type: string;
  destination: string;
  text: string;
}

/** Tells waiting events to the event notifications that match, as pending deliveries, higher priority first. */
export class EventDispatcher {
  constructor(
    private readonly pool: Pool,
    private readonly jobQueue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Handles events in order, each together with its deliveries or not at all; returns how many. */
  async dispatchWaiting(): Promise<number> {
    let count = 0;
    for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
      const { dispatched, wakeUps } = await inPoolTransaction(this.pool, (connection) =>
        this.dispatchBatch(connection),
      );
      if (dispatched === 0) return count;
      count += dispatched;
      await this.jobQueue.enqueueDeliveries(wakeUps);
    }
    await this.jobQueue.enqueueEventDispatch();
    return count;
  }

  private async dispatchBatch(connection: PoolConnection): Promise<{ dispatched: number; wakeUps: DeliveryWakeUp[] }> {
    const events = await takeEvents(connection);
    if (events.length === 0) return { dispatched: 0, wakeUps: [] };
    const matches = matchEvents(events, await readDestinations(connection, events));
    const ids = events.map((event) => event.id);
    const nowMs = this.clock.now();
    await insertDeliveries(
      connection,
      matches.map(({ event, interest }) => toDelivery(event, interest, nowMs)),
    );
    await connection.query('DELETE FROM events WHERE id IN (?)', [ids]);
    return { dispatched: events.length, wakeUps: await readWakeUps(connection, ids) };
  }
}

/** The oldest events that no other worker has in hand: a batch that fits one transaction. */
async function takeEvents(connection: PoolConnection): Promise<EventRow[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT id, name, subject_id AS subjectId, source_id AS sourceId, audience
     FROM events ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED`,
    [EVENTS_PER_BATCH],
  );
  const events: EventRow[] = [];
  let users = 0;
  for (const { id, name, subjectId, sourceId, audience } of rows) {
    const event = { id, name, subjectId, sourceId, audience: JSON.parse(audience) };
    users += event.audience.length;
    if (events.length > 0 && users > USERS_PER_BATCH) break;
    events.push(event);
  }
  return events;
}

async function readDestinations(connection: PoolConnection, events: readonly EventRow[]): Promise<Destination[]> {
  const names = [...new Set(events.map((event) => event.name))];
  const users = [...new Set(events.flatMap((event) => event.audience))];
  if (users.length === 0) return [];
  const [rows] = await connection.query<(RowDataPacket & Destination)[]>(
    `SELECT m.id, m.owner_id AS ownerId, m.event, m.source_id AS sourceId, m.priority,
            n.id AS notificationId, n.type, n.destination, n.text
     FROM event_notifications m JOIN notifications n ON n.id = m.notification_id AND n.enabled = TRUE
     WHERE m.owner_id IN (?) AND m.event IN (?) AND m.enabled = TRUE`,
    [users, names],
  );
  return rows;
}

/**
 * The deliveries of these events, the most urgent first. What a user hears of one event at one receiver shares a doorbell:
 * two workers, or two attempts at once, would not keep the order.
 */
async function readWakeUps(connection: PoolConnection, eventIds: number[]): Promise<DeliveryWakeUp[]> {
  const [rows] = await connection.query<(RowDataPacket & ToldRow)[]>(
    `SELECT ${WAKE_UP_COLUMNS}, event_id AS eventId, owner_id AS ownerId, receiver FROM deliveries WHERE event_id IN (?)
     ORDER BY priority DESC, id`,
    [eventIds],
  );
  const wakeUps = new Map<string, DeliveryWakeUp & { next: number[] }>();
  for (const row of rows) {
    const key = `${row.eventId} ${row.ownerId} ${row.receiver}`;
    const wakeUp = wakeUps.get(key);
    if (wakeUp) wakeUp.next.push(row.id);
    else wakeUps.set(key, { ...wakeUpOf(row), next: [] });
  }
  return [...wakeUps.values()];
}

function toDelivery(event: EventRow, match: Destination, nowMs: number): NewDelivery {
  const text = renderText(match.text, {
    event: event.name,
    subject_id: event.subjectId,
    source_id: event.sourceId,
    user_id: match.ownerId,
  });
  const { ownerId, notificationId, type, destination, priority } = match;
  return {
    ownerId,
    notificationId,
    type,
    destination,
    text,
    priority,
    eventId: event.id,
    eventNotificationId: match.id,
    event: event.name,
    subjectId: event.subjectId,
    sourceId: event.sourceId,
    nextAttemptMs: nowMs,
    createdMs: nowMs,
  };
}
