import { randomUUID } from 'node:crypto';
import type { Pool, PoolConnection, ResultSetHeader } from 'mysql2/promise';
import type { Alert } from '../rules/alert';
import { issueSlices, slices } from '../storage/slices';
import { receiverOf } from './channels';

/** A delivery that waits for its first attempt: of a firing, an event, a test or a notice. */
export interface NewDelivery {
  /** Its permanent id for receivers. Generated unless the caller needs to know it before the insert. */
  webhookId?: string;
  ownerId: number;
  notificationId: number;
  /** A channel of `CHANNELS`. */
  type: string;
  destination: string;
  text: string;
  /** Content of a test. */
  details?: Alert;
  mailSubject?: string;
  priority?: number;
  firingId?: number;
  /** True if the delivery reports the end of the firing's episode. */
  resolved?: boolean;
  sensorId?: number;
  triggerId?: number;
  eventId?: number;
  eventNotificationId?: number;
  event?: string;
  subjectId?: number | null;
  sourceId?: number | null;
  nextAttemptMs: number;
  receivedMs?: number | null;
  storedMs?: number | null;
  evaluatedMs?: number;
  createdMs: number;
}

const COLUMNS: Readonly<Record<string, (delivery: NewDelivery) => unknown>> = {
  webhook_id: ({ webhookId }) => webhookId ?? newWebhookId(),
  owner_id: ({ ownerId }) => ownerId,
  notification_id: ({ notificationId }) => notificationId,
  type: ({ type }) => type,
  destination: ({ destination }) => destination,
  receiver: ({ type, destination }) => receiverOf(type, destination),
  text: ({ text }) => text,
  details: ({ details }) => details && JSON.stringify(details),
  mail_subject: ({ mailSubject }) => mailSubject,
  priority: ({ priority }) => priority ?? 0,
  firing_id: ({ firingId }) => firingId,
  resolved: ({ resolved }) => resolved ?? false,
  sensor_id: ({ sensorId }) => sensorId,
  trigger_id: ({ triggerId }) => triggerId,
  event_id: ({ eventId }) => eventId,
  event_notification_id: ({ eventNotificationId }) => eventNotificationId,
  event: ({ event }) => event,
  subject_id: ({ subjectId }) => subjectId,
  source_id: ({ sourceId }) => sourceId,
  next_attempt_ms: ({ nextAttemptMs }) => nextAttemptMs,
  received_ms: ({ receivedMs }) => receivedMs,
  stored_ms: ({ storedMs }) => storedMs,
  evaluated_ms: ({ evaluatedMs }) => evaluatedMs,
  created_ms: ({ createdMs }) => createdMs,
};

const INSERT = `INSERT INTO deliveries (${Object.keys(COLUMNS).join(', ')}) VALUES ?`;

/**
 * Inserts deliveries in as few statements as their texts allow. An iterable that builds them one by one keeps only the
 * deliveries of one statement in memory. Returns the id of the first one.
 */
export async function insertDeliveries(
  connection: Pick<Pool, 'query'>,
  deliveries: Iterable<NewDelivery>,
): Promise<number> {
  let firstId = 0;
  for (const slice of slices(rowsOf(deliveries))) {
    const [result] = await connection.query<ResultSetHeader>(INSERT, [slice]);
    firstId ||= result.insertId;
  }
  return firstId;
}

/** Inserts deliveries in a transaction. The statements are pipelined. */
export function issueDeliveries(connection: PoolConnection, deliveries: readonly NewDelivery[]): Promise<void> {
  return issueSlices(rowsOf(deliveries), (slice) => connection.query(INSERT, [slice]));
}

function* rowsOf(deliveries: Iterable<NewDelivery>): Generator<unknown[]> {
  for (const delivery of deliveries) yield Object.values(COLUMNS).map((read) => read(delivery) ?? null);
}

/** The permanent id of a delivery, which receivers use to recognise repeats. */
export function newWebhookId(): string {
  return `msg_${randomUUID().replaceAll('-', '')}`;
}
