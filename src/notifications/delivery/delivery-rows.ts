import { randomUUID } from 'node:crypto';
import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import type { Severity } from '../../edge/severity';
import { issueSlices, slices } from '../../storage/slices';
import { inPoolTransaction, type RunSql } from '../../storage/transaction';
import type { Alert } from './alert';
import type { DeliveryRow } from './attempt';
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
  /** What it shows, if that is not read when it is sent: see `details` of the model. */
  details?: Alert;
  mailSubject?: string;
  priority?: number;
  firingId?: number;
  /** True if the delivery reports the end of the firing's episode. */
  resolved?: boolean;
  /** True if the severity of its trigger is critical. */
  critical?: boolean;
  /** The first firing of the episode whose acknowledgement it reports. */
  acknowledges?: number;
  /** True if the end or the acknowledgement of the firing's episode deletes it before its first attempt. */
  escalation?: boolean;
  /** True if it waits for the end of the mute in which its episode began or ended. */
  afterMute?: boolean;
  /** True if the clock makes it, to prove that the notification arrives. */
  probe?: boolean;
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

/** How long a critical alert may wait before its owner is notified. */
const LATE_AFTER_MS = 5 * 60_000;

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
  critical: ({ critical }) => critical ?? false,
  // From then on it is reported if it still waits.
  late_ms: ({ critical, resolved, nextAttemptMs }) => (critical && !resolved ? nextAttemptMs + LATE_AFTER_MS : null),
  acknowledges: ({ acknowledges }) => acknowledges,
  escalation: ({ escalation }) => escalation ?? false,
  after_mute: ({ afterMute }) => afterMute ?? false,
  probe: ({ probe }) => probe ?? false,
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

/** Inserts a delivery. Returns its id. */
export async function insertDelivery(connection: Pick<Pool, 'query'>, delivery: NewDelivery): Promise<number> {
  const [result] = await connection.query<ResultSetHeader>(INSERT, [[...rowsOf([delivery])]]);
  return result.insertId;
}

/**
 * Inserts deliveries in as few statements as their texts allow. An iterable that builds them one by one keeps only the
 * deliveries of one statement in memory.
 */
export async function insertDeliveries(run: RunSql, deliveries: Iterable<NewDelivery>): Promise<void> {
  for (const slice of slices(rowsOf(deliveries))) await run(INSERT, [slice]);
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

/** The columns that a nudge needs. */
export const NUDGE_COLUMNS = 'id, owner_id, receiver, attempts, priority, event, resolved, critical';

export interface NudgeRow
  extends Pick<DeliveryRow, 'id' | 'owner_id' | 'receiver' | 'attempts' | 'priority' | 'event'> {
  resolved: number | boolean;
  critical: number | boolean;
}

export function nudgeOf(row: NudgeRow): DeliveryNudge {
  const { id, owner_id, receiver, attempts, priority } = row;
  return { deliveryId: id, ownerId: owner_id, receiver, attempts, priority, cause: causeOf(row) };
}

function causeOf({ event, resolved, critical }: Pick<NudgeRow, 'event' | 'resolved' | 'critical'>) {
  if (event !== null) return 'event';
  if (resolved) return 'end';
  return critical ? 'critical' : 'trigger';
}

/** The nudges of the deliveries that a condition selects, in the order of their ids. */
export async function readNudges(run: RunSql, condition: string, values: unknown[]): Promise<DeliveryNudge[]> {
  const rows = await run(`SELECT ${NUDGE_COLUMNS} FROM deliveries WHERE ${condition} ORDER BY id`, values);
  return (rows as unknown as NudgeRow[]).map(nudgeOf); // the columns are those of a `NudgeRow`
}

/**
 * True if a delivery is sent although its notification is disabled. This holds for deliveries without a trigger or
 * event, except digests and probes: tests, and notices to the owner about the notification itself.
 */
export function isSentWhileOff({
  event,
  trigger_id,
  digest_minute_ms,
  probe,
}: Pick<DeliveryRow, 'event' | 'trigger_id' | 'digest_minute_ms' | 'probe'>): boolean {
  return event === null && trigger_id === null && digest_minute_ms === null && !probe;
}

export interface ConnectedNotification {
  sensorTriggerId: number;
  id: number;
  ownerId: number;
  type: string;
  destination: string;
  /** Where the end of an episode goes. */
  endDestination: string;
  text: string;
  /** How long an episode must last before the notification gets its firing, in seconds. */
  afterS: number;
  /** The severity of the trigger. */
  severity: Severity;
}

/**
 * The enabled notifications of these sensor triggers and of their triggers, each once, by ids; one that is connected
 * twice takes part at the earlier time. Requires at least one sensor trigger. The two parts are put in order here,
 * because MySQL would need a temporary table for each pass.
 */
export async function readConnectedNotifications(
  run: RunSql,
  sensorTriggerIds: readonly number[],
): Promise<ConnectedNotification[]> {
  const columns =
    'n.id, n.owner_id AS ownerId, n.type, n.destination, n.destination_resolved AS endDestination, n.text, t.severity';
  const rows = await run(
    `SELECT stn.sensor_trigger_id AS sensorTriggerId, stn.after_s AS afterS, ${columns}
     FROM sensor_trigger_notifications stn JOIN notifications n ON n.id = stn.notification_id
       JOIN sensor_triggers st ON st.id = stn.sensor_trigger_id JOIN triggers t ON t.id = st.trigger_id
     WHERE stn.sensor_trigger_id IN (?) AND n.enabled
     UNION ALL SELECT st.id AS sensorTriggerId, tn.after_s AS afterS, ${columns}
     FROM sensor_triggers st JOIN trigger_notifications tn ON tn.trigger_id = st.trigger_id
       JOIN notifications n ON n.id = tn.notification_id JOIN triggers t ON t.id = st.trigger_id
     WHERE st.id IN (?) AND n.enabled`,
    [sensorTriggerIds, sensorTriggerIds],
  );
  const sorted = rows
    .map(toConnected)
    .sort((a, b) => a.sensorTriggerId - b.sensorTriggerId || a.id - b.id || a.afterS - b.afterS);
  return sorted.filter(({ sensorTriggerId, id }, index) => {
    const before = sorted[index - 1];
    return sensorTriggerId !== before?.sensorTriggerId || id !== before.id;
  });
}

/** How many of them there are, at most: disabled ones, and those that are connected twice, count as well. */
export async function countConnectedNotifications(run: RunSql, sensorTriggerIds: readonly number[]): Promise<number> {
  const [row] = await run(
    `SELECT (SELECT COUNT(*) FROM sensor_trigger_notifications stn WHERE stn.sensor_trigger_id IN (?)) +
       (SELECT COUNT(*) FROM sensor_triggers st JOIN trigger_notifications tn ON tn.trigger_id = st.trigger_id
        WHERE st.id IN (?)) AS total`,
    [sensorTriggerIds, sensorTriggerIds],
  );
  return Number(row?.total);
}

function toConnected(row: Record<string, unknown>): ConnectedNotification {
  return {
    sensorTriggerId: Number(row.sensorTriggerId),
    id: Number(row.id),
    ownerId: Number(row.ownerId),
    type: String(row.type),
    destination: String(row.destination),
    endDestination: String(row.endDestination ?? row.destination),
    text: String(row.text),
    afterS: Number(row.afterS),
    severity: row.severity as Severity, // the column holds nothing else
  };
}

const ATTEMPTS_PER_TRANSACTION = 5_000;

/**
 * Deletes the ended ones of these deliveries, with their attempts, in one transaction. With `unclaimedAtMs` it also
 * deletes pending ones that no worker has leased at that instant. A very large number of attempts takes several calls,
 * until `isComplete`. Returns the number of deleted rows.
 */
export async function deleteDeliveries(
  pool: Pool,
  ids: readonly number[],
  { unclaimedAtMs }: { unclaimedAtMs?: number } = {},
): Promise<{ deleted: number; isComplete: boolean }> {
  if (ids.length === 0) return { deleted: 0, isComplete: true };
  const [or, instants] =
    unclaimedAtMs === undefined ? ['', []] : [' OR claimed_until_ms IS NULL OR claimed_until_ms <= ?', [unclaimedAtMs]];
  return inPoolTransaction(pool, async (connection) => {
    const [rows] = await connection.query<(RowDataPacket & { id: number })[]>(
      `SELECT id FROM deliveries WHERE id IN (?) AND (status <> 'pending'${or}) ORDER BY id FOR UPDATE`,
      [ids, ...instants],
    );
    if (rows.length === 0) return { deleted: 0, isComplete: true };
    const locked = rows.map(({ id }) => id);
    const [attempts] = await connection.query<ResultSetHeader>(
      'DELETE FROM delivery_attempts WHERE delivery_id IN (?) LIMIT ?',
      [locked, ATTEMPTS_PER_TRANSACTION],
    );
    const deleted = attempts.affectedRows;
    if (deleted === ATTEMPTS_PER_TRANSACTION) return { deleted, isComplete: false };
    const [deliveries] = await connection.query<ResultSetHeader>('DELETE FROM deliveries WHERE id IN (?)', [locked]);
    return { deleted: deleted + deliveries.affectedRows, isComplete: true };
  });
}
