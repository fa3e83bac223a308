import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { renderText } from '../../language/notification-text';
import { partsOf } from '../../platform/parts-of';
import { runOn } from '../../storage/transaction';
import {
  insertDeliveries,
  type NewDelivery,
  NUDGE_COLUMNS,
  type NudgeRow,
  newWebhookId,
  nudgeOf,
} from '../delivery/delivery-rows';
import type { PacedTexts } from '../delivery/paced-texts';
import { waitingText } from '../delivery/waiting';
import { readWaiting } from '../delivery/waiting-deliveries';
import { EventCharges } from './event-charges';
import type { EventPortion, Interest } from './event-matches';
import type { WaitingEvent } from './waiting-events';

/** Limits the texts in memory. */
const TEXTS_AT_ONCE = 100;

interface Match {
  event: WaitingEvent;
  interest: Interest;
  webhookId: string;
  /** In the future for a summary. */
  dueMs: number;
}

export interface InsertedDeliveries {
  /** Only due deliveries, the most urgent first. */
  nudges: DeliveryNudge[];
  /** By event id: the last user whose delivery was only counted. The event is dispatched up to that user. */
  countedFor: ReadonlyMap<number, number>;
}

interface NotificationRow extends RowDataPacket {
  id: number;
  type: string;
  destination: string;
  text: string;
}

interface InsertedRow extends RowDataPacket, NudgeRow {
  eventId: number;
  ownerId: number;
}

/**
 * Inserts deliveries by priority within an event. Beyond what one user may cause to another per minute, inserts a
 * summary.
 */
export async function insertEventDeliveries(
  connection: PoolConnection,
  portions: readonly EventPortion[],
  { nowMs, texts }: { nowMs: number; texts: PacedTexts },
): Promise<InsertedDeliveries> {
  const parties = portions.flatMap(({ event, interests }) => interests.map(({ ownerId }) => partiesOf(event, ownerId)));
  const charges = await EventCharges.lock(connection, parties, nowMs);
  const countedFor = new Map<number, number>();
  const matches = portions.flatMap(({ event, interests }) =>
    interests.flatMap((interest): Match[] => {
      const webhookId = newWebhookId();
      const { charged, dueMs } = charges.charge(partiesOf(event, interest.ownerId), webhookId);
      if (charged !== 'counted') return [{ event, interest, webhookId, dueMs }];
      countedFor.set(event.id, Math.max(interest.ownerId, countedFor.get(event.id) ?? 0));
      return [];
    }),
  );
  const inserted: InsertedRow[] = [];
  for (const chunk of partsOf(matches, TEXTS_AT_ONCE)) {
    const notifications = await readNotifications(connection, chunk);
    const waiting = await readFailing(connection, chunk, nowMs);
    await insertDeliveries(runOn(connection), await render(chunk, { notifications, waiting, nowMs, texts }));
    const due = chunk.filter(({ dueMs }) => dueMs <= nowMs); // the reconciler finds the others
    if (due.length > 0) inserted.push(...(await readInserted(connection, due)));
  }
  await charges.store();
  return { nudges: groupNudges(inserted), countedFor };
}

function partiesOf({ userId }: WaitingEvent, ownerId: number) {
  return { actorId: Number(userId), ownerId: Number(ownerId) };
}

async function readNotifications(
  connection: PoolConnection,
  matches: readonly Match[],
): Promise<Map<number, NotificationRow>> {
  const ids = [...new Set(matches.map(({ interest }) => interest.notificationId))];
  const [rows] = await connection.query<NotificationRow[]>(
    'SELECT id, type, destination, text FROM notifications WHERE id IN (?)',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** A notification that was deleted meanwhile gets no delivery. */
async function render(matches: readonly Match[], rendered: Rendered): Promise<NewDelivery[]> {
  const { notifications, waiting, nowMs, texts } = rendered;
  const deliveries: NewDelivery[] = [];
  for (const match of matches) {
    const notification = notifications.get(match.interest.notificationId);
    const waits = waiting.get(match.event.subjectId ?? 0) ?? '';
    if (notification) deliveries.push(toDelivery(match, notification, waits, { nowMs, texts }));
    if (texts.isPauseDue) await texts.pause();
  }
  return deliveries;
}

interface Rendered {
  notifications: ReadonlyMap<number, NotificationRow>;
  /** By notification, in words. */
  waiting: ReadonlyMap<number, string>;
  nowMs: number;
  texts: PacedTexts;
}

async function readFailing(
  connection: PoolConnection,
  matches: readonly Match[],
  nowMs: number,
): Promise<Map<number, string>> {
  const ids = matches.flatMap(({ event: { name, subjectId } }) =>
    name === 'notification_failing' && subjectId !== null ? [Number(subjectId)] : [],
  );
  const waiting = await readWaiting(runOn(connection), ids, nowMs);
  return new Map([...waiting].map(([id, found]) => [id, waitingText(found, String(id))]));
}

function toDelivery(
  { event, interest, webhookId, dueMs }: Match,
  notification: NotificationRow,
  waiting: string,
  { nowMs, texts }: Pick<Rendered, 'nowMs' | 'texts'>,
): NewDelivery {
  const { ownerId, priority } = interest;
  const { name, subjectId, sourceId } = event;
  const values = { event: name, subject_id: subjectId, source_id: sourceId, user_id: ownerId };
  const rendered = texts.render(ownerId, values, () => renderText(notification.text, values));
  const text = notification.text === '' ? waiting : rendered;
  return {
    webhookId,
    ownerId,
    notificationId: notification.id,
    kind: 'event',
    type: notification.type,
    destination: notification.destination,
    text,
    priority,
    eventId: event.id,
    eventNotificationId: interest.id,
    event: event.name,
    subjectId: event.subjectId,
    sourceId: event.sourceId,
    nextAttemptMs: dueMs,
    createdMs: nowMs,
  };
}

async function readInserted(connection: PoolConnection, matches: readonly Match[]): Promise<InsertedRow[]> {
  const [rows] = await connection.query<InsertedRow[]>(
    `SELECT ${NUDGE_COLUMNS}, event_id AS eventId, owner_id AS ownerId FROM deliveries WHERE webhook_id IN (?)
     ORDER BY id`,
    [matches.map(({ webhookId }) => webhookId)],
  );
  return rows;
}

/** One nudge per event, user and receiver: two workers, or two concurrent attempts, could change the order. */
function groupNudges(rows: readonly InsertedRow[]): DeliveryNudge[] {
  const nudges = new Map<string, DeliveryNudge & { next: number[] }>();
  for (const row of [...rows].sort((a, b) => b.priority - a.priority || a.id - b.id)) {
    const key = `${row.eventId} ${row.ownerId} ${row.receiver}`;
    const nudge = nudges.get(key);
    if (nudge) nudge.next.push(row.id);
    else nudges.set(key, { ...nudgeOf(row), next: [] });
  }
  return [...nudges.values()];
}
