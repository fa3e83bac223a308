import { randomUUID } from 'node:crypto';
import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import type { Severity } from '../../edge/severity';
import type { DeliveryKind } from '../../storage/models/delivery.model';
import { issueSlices, slices } from '../../storage/slices';
import { inPoolTransaction, type RunSql } from '../../storage/transaction';
import type { Alert } from './alert';
import type { DeliveryRow } from './attempt';
import { receiverOf } from './channels';
import type { WrittenMail } from './written-mails';

export interface NewDelivery {
  /** Permanent id for receivers. Generated if absent. */
  webhookId?: string;
  ownerId: number;
  notificationId: number;
  kind: DeliveryKind;
  type: string;
  destination: string;
  text: string;
  /** The alert, if it is not read when the delivery is sent; of a notice, its subject; a written mail. */
  details?: Alert | WrittenMail | Pick<WrittenMail, 'subject'> | undefined;
  priority?: number;
  firingId?: number;
  critical?: boolean;
  /** True if the end or the acknowledgement of the episode may delete it. */
  escalation?: boolean;
  afterMute?: boolean;
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

type ToJson = (details: object) => string;

/** True if no worker has the lease at a time. */
export const IS_FREE = '(lease_until_ms IS NULL OR lease_until_ms <= ?)';

/** A condition on the receiver of a row of the table or alias. */
export const isNotPaused = (table: string): string =>
  `NOT EXISTS (SELECT 1 FROM paused_receivers o WHERE o.receiver = ${table}.receiver)`;

const LATE_AFTER_MS = 5 * 60_000;

const COLUMNS: Readonly<Record<string, (delivery: NewDelivery, toJson: ToJson) => unknown>> = {
  webhook_id: ({ webhookId }) => webhookId ?? newWebhookId(),
  owner_id: ({ ownerId }) => ownerId,
  notification_id: ({ notificationId }) => notificationId,
  kind: ({ kind }) => kind,
  type: ({ type }) => type,
  destination: ({ destination }) => destination,
  receiver: ({ type, destination }) => receiverOf(type, destination),
  text: ({ text }) => text,
  details: ({ details }, toJson) => details && toJson(details),
  priority: ({ priority }) => priority ?? 0,
  firing_id: ({ firingId }) => firingId,
  critical: ({ critical }) => critical ?? false,
  late_ms: ({ critical, kind, nextAttemptMs }) => (critical && kind !== 'end' ? nextAttemptMs + LATE_AFTER_MS : null),
  escalation: ({ escalation }) => escalation ?? false,
  after_mute: ({ afterMute }) => afterMute ?? false,
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

/** Returns the id. */
export async function insertDelivery(connection: Pick<Pool, 'query'>, delivery: NewDelivery): Promise<number> {
  const [result] = await connection.query<ResultSetHeader>(INSERT, [[...rowsOf([delivery])]]);
  return result.insertId;
}

/** Writing a statement of 1,000 rows holds the process up for 50 ms. */
const ROWS_AT_ONCE = 250;

/** An iterable that builds deliveries one by one saves memory. */
export async function insertDeliveries(run: RunSql, deliveries: Iterable<NewDelivery>): Promise<void> {
  for (const slice of slices(rowsOf(deliveries), ROWS_AT_ONCE)) await run(INSERT, [slice]);
}

/** Pipelines the statements. */
export function issueDeliveries(connection: PoolConnection, deliveries: readonly NewDelivery[]): Promise<void> {
  return issueSlices(rowsOf(deliveries), (slice) => connection.query(INSERT, [slice]));
}

function* rowsOf(deliveries: Iterable<NewDelivery>): Generator<unknown[]> {
  const toJson = jsonOnce();
  for (const delivery of deliveries) yield Object.values(COLUMNS).map((read) => read(delivery, toJson) ?? null);
}

/** The notifications of an episode share its alert, with values of up to 64 KB. */
function jsonOnce(): ToJson {
  let [last, text]: [object | undefined, string] = [undefined, ''];
  return (details) => {
    if (details !== last) [last, text] = [details, JSON.stringify(details)];
    return text;
  };
}

/** Receivers recognize repeats by this permanent id. */
export function newWebhookId(): string {
  return `msg_${randomUUID().replaceAll('-', '')}`;
}

export const NUDGE_COLUMNS = 'id, owner_id, receiver, attempts, priority, kind, critical';

export interface NudgeRow extends Pick<DeliveryRow, 'id' | 'owner_id' | 'receiver' | 'attempts' | 'priority' | 'kind'> {
  critical: number | boolean;
}

export function nudgeOf(row: NudgeRow): DeliveryNudge {
  const { id, owner_id, receiver, attempts, priority } = row;
  return { deliveryId: id, ownerId: owner_id, receiver, attempts, priority, cause: causeOf(row) };
}

function causeOf({ kind, critical }: Pick<NudgeRow, 'kind' | 'critical'>) {
  if (kind === 'event' || kind === 'end') return kind;
  return critical ? 'critical' : 'trigger';
}

export async function readNudges(run: RunSql, condition: string, values: unknown[]): Promise<DeliveryNudge[]> {
  const rows = await run(`SELECT ${NUDGE_COLUMNS} FROM deliveries WHERE ${condition} ORDER BY id`, values);
  return (rows as unknown as NudgeRow[]).map(nudgeOf); // the columns of a `NudgeRow`
}

/** Leaves out deliveries that wait for their episode. One statement. */
export async function readNudgesOfFirings(
  connection: PoolConnection,
  firingIds: readonly number[],
): Promise<DeliveryNudge[]> {
  const [rows] = await connection.query<(RowDataPacket & NudgeRow)[]>(
    `SELECT ${NUDGE_COLUMNS} FROM deliveries WHERE firing_id IN (?) AND escalation = FALSE ORDER BY id`,
    [firingIds],
  );
  return rows.map(nudgeOf);
}

/** Also true while it is being delivered. */
export async function wasDelivered(pool: Pool, firingId: number, notificationId: number): Promise<boolean> {
  const sql = "SELECT id FROM deliveries WHERE firing_id = ? AND notification_id = ? AND kind = 'firing'";
  const [rows] = await pool.query<RowDataPacket[]>(sql, [firingId, notificationId]);
  return rows.length > 0;
}

export interface ConnectedNotification {
  sensorTriggerId: number;
  id: number;
  ownerId: number;
  type: string;
  destination: string;
  endDestination: string;
  text: string;
  /** Seconds of the episode. */
  afterS: number;
  severity: Severity;
}

/**
 * Requires a sensor trigger. One notification that is connected twice has the earlier time. Ordered here, because MySQL
 * would need a temporary table.
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
 * Deletes ended deliveries in one transaction. With `leaselessAtMs` also pending ones without a lease. Call it until
 * `isComplete`. Returns the number of rows.
 */
export async function deleteDeliveries(
  pool: Pool,
  ids: readonly number[],
  { leaselessAtMs }: { leaselessAtMs?: number } = {},
): Promise<{ deleted: number; isComplete: boolean }> {
  if (ids.length === 0) return { deleted: 0, isComplete: true };
  const [or, instants] = leaselessAtMs === undefined ? ['', []] : [` OR ${IS_FREE}`, [leaselessAtMs]];
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
