import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Severity } from '../../edge/severity';
import { mayHaveLabels } from '../../language/labels';
import type { Compute } from '../../platform/steps';
import { readLabelsOfTexts } from '../../storage/labels';
import type { DeliveryKind } from '../../storage/models/delivery.model';
import { type RunSql, runOn } from '../../storage/transaction';
import { kindOf } from '../kinds';
import { hasTemplates } from '../requests/webhook-request';
import type { Alert } from './alert';
import { withWindows } from './alert-windows';
import type { DeliveryRow } from './attempt';
import { channelOf } from './channels';
import type { FiringVariables } from './firing-variables';
import { withLastValue } from './last-values';
import { isMail } from './mail/mail-recipients';

/** The columns of a `SourceRow`, from a sensor `s` and a trigger `t`. */
export const SOURCE_COLUMNS = `s.id AS sensorId, s.name AS sensorName, s.display_name AS displayName, s.data_type AS dataType,
  s.data_structure AS dataStructure, s.unit, s.field_units AS fieldUnits, t.id AS triggerId, t.name AS triggerName, t.expression, t.inactivity,
  t.timezone, t.severity`;

export interface SourceRow extends RowDataPacket {
  sensorId: number;
  sensorName: string;
  displayName: string;
  dataType: string;
  dataStructure: string;
  unit: string;
  fieldUnits: string | null;
  triggerId: number;
  triggerName: string;
  expression: string | null;
  inactivity: number | null;
  timezone: string;
  severity: Severity;
}

export function sourcesOf(row: SourceRow): Pick<Alert, 'sensor' | 'trigger'> {
  const { sensorId, sensorName, displayName, dataType, dataStructure, unit, fieldUnits } = row;
  const { triggerId, triggerName, expression, inactivity, timezone, severity } = row;
  return {
    sensor: { id: sensorId, name: sensorName, displayName, dataType, dataStructure, unit, fieldUnits },
    trigger: { id: triggerId, name: triggerName, expression, inactivity, timezone, severity },
  };
}

const FIRING_COLUMNS = `f.id AS firingId, f.reason, f.hold_s AS hold, f.fired_ms AS firedMs, f.variables, f.episode_id AS episodeId, e.ended_ms AS endedMs, e.fired_ms AS begunMs,
  e.end_value AS endValue, e.end_date_ms AS endDateMs, e.resolved_by AS resolvedBy,
  IF(e.acknowledged_person IS NULL, (SELECT a.username FROM users a WHERE a.id = e.acknowledged_by), e.acknowledged_person) AS acknowledgedBy,
  (SELECT a.username FROM users a WHERE a.id = e.assigned_to) AS assignedTo, ${SOURCE_COLUMNS}`;

/** Needs the tables of `ALERT_SOURCES`. */
export const ALERT_COLUMNS = `d.details, d.kind, d.created_ms AS createdMs, d.escalation, d.after_mute AS afterMute,
  COALESCE(LEAST(stn.after_s, tn.after_s), stn.after_s, tn.after_s, 0) AS afterS,
  IF(d.escalation, (SELECT MIN(a.date_ms) FROM delivery_attempts a WHERE a.delivery_id = d.id), NULL) AS triedMs, ${FIRING_COLUMNS}`;
const WITHOUT_DELIVERY = 'NULL AS details, FALSE AS escalation, FALSE AS afterMute, 0 AS afterS, NULL AS triedMs';
export const ALERT_SOURCES = `deliveries d LEFT JOIN sensors s ON s.id = d.sensor_id LEFT JOIN triggers t ON t.id = d.trigger_id
  LEFT JOIN firings f ON f.id = d.firing_id LEFT JOIN firings e ON e.id = COALESCE(f.episode_id, f.id)
  LEFT JOIN sensor_trigger_notifications stn
    ON stn.sensor_trigger_id = f.sensor_trigger_id AND stn.notification_id = d.notification_id
  LEFT JOIN trigger_notifications tn ON tn.trigger_id = d.trigger_id AND tn.notification_id = d.notification_id`;
export const ALERT_KNOWN = '(d.details IS NOT NULL OR (s.id IS NOT NULL AND t.id IS NOT NULL))';

export interface AlertRow extends SourceRow {
  details: string | null;
  kind: DeliveryKind;
  createdMs: number;
  escalation: number;
  afterMute: number;
  /** Seconds of an episode after which the notification takes part. */
  afterS: number;
  /** Null unless the delivery waited. */
  triedMs: number | null;
  firingId: number | null;
  reason: Alert['reason'];
  hold: number | null;
  firedMs: number | null;
  variables: string | null;
  episodeId: number | null;
  endedMs: number | null;
  begunMs: number | null;
  endValue: string | null;
  endDateMs: number | null;
  resolvedBy: string | null;
  acknowledgedBy: string | null;
  assignedTo: string | null;
}

/** True if the delivery shows more than its text. */
export function showsAlert(row: DeliveryRow): boolean {
  return channelOf(row.type).showsAlert(row.format ?? 'form') || hasTemplates(row);
}

/** Undefined if no trigger caused the delivery, or it shows no alert: then nothing is read. */
export async function findAlert(
  pool: Pool,
  row: DeliveryRow,
  { nowMs, compute }: { nowMs: number; compute: Compute },
): Promise<Alert | undefined> {
  if (!showsAlert(row) || kindOf(row).isForOwner) return undefined;
  const texts = hasTemplates(row) ? [row.destination, row.body] : [];
  if (row.details !== null) return withLabels(runOn(pool), JSON.parse(row.details), texts);
  if (row.trigger_id === null) return undefined;
  const [[found]] = await pool.query<AlertRow[]>(
    `SELECT ${ALERT_COLUMNS} FROM ${ALERT_SOURCES} WHERE d.id = ? AND ${ALERT_KNOWN}`,
    [row.id],
  );
  if (!found) return undefined;
  const shown = await withLabels(runOn(pool), toAlert(found, nowMs), texts);
  const alert = await withLastValue(pool, shown);
  return isMail(row.type) ? withWindows(pool, alert, compute) : alert;
}

/** Adds the labels that texts and templates name to those that the firing used. */
export async function withLabels(run: RunSql, alert: Alert, texts: readonly (string | null)[]): Promise<Alert> {
  const { sensor, variables } = alert;
  if (sensor.id === null || variables === null || !mayHaveLabels(...texts)) return alert;
  const labelsOf = await readLabelsOfTexts(run, [sensor.id], texts);
  const labels = labelsOf(sensor.id, variables.labels);
  return { ...alert, variables: { ...variables, labels } };
}

/** Undefined if the sensor or the trigger no longer exists. */
export async function readFiringAlert(run: RunSql, firingId: number): Promise<Alert | undefined> {
  const [row] = await run(
    `SELECT ${WITHOUT_DELIVERY}, 'firing' AS kind, f.fired_ms AS createdMs, ${FIRING_COLUMNS}
     FROM firings f JOIN firings e ON e.id = COALESCE(f.episode_id, f.id)
       JOIN sensors s ON s.id = f.sensor_id JOIN triggers t ON t.id = f.trigger_id
     WHERE f.id = ?`,
    [firingId],
  );
  return row && toAlert(row as AlertRow); // an `AlertRow`
}

/** By the ids of first firings. An episode that continues for other notifications ends at `nowMs`, by an edit. */
export async function readEndAlerts(
  run: RunSql,
  firingIds: readonly number[],
  nowMs: number,
): Promise<Map<number, Alert>> {
  if (firingIds.length === 0) return new Map();
  const rows = await run(
    `SELECT ${WITHOUT_DELIVERY}, 'end' AS kind, COALESCE(e.ended_ms, ?) AS createdMs, ${FIRING_COLUMNS}
     FROM firings f JOIN firings e ON e.id = f.id JOIN sensors s ON s.id = f.sensor_id JOIN triggers t ON t.id = f.trigger_id
     WHERE f.id IN (?)`,
    [nowMs, firingIds],
  );
  const found = (rows as readonly AlertRow[]).map((row) => ({ ...row, resolvedBy: row.resolvedBy ?? 'edit' }));
  return new Map(found.map((row) => [Number(row.firingId), toAlert(row)]));
}

/** `sentMs` is the first attempt, if the row does not hold it yet. */
export function toAlert(row: AlertRow, sentMs?: number): Alert {
  if (row.details !== null) return JSON.parse(row.details);
  const { firingId, reason, resolvedBy } = row;
  const variables: FiringVariables | null = row.variables === null ? null : JSON.parse(row.variables);
  return {
    firingId,
    episodeId: row.episodeId ?? firingId,
    reason,
    resolvedBy,
    ...sourcesOf(row),
    variables,
    ...(row.kind === 'end' ? endOf(row) : beginOf(row, variables)),
    ...(row.begunMs !== null && { begunMs: row.begunMs }),
    ...(row.hold && { hold: row.hold }),
    ...escalationOf(row, sentMs),
    ...(row.acknowledgedBy && { acknowledgedBy: row.acknowledgedBy }),
    ...(row.assignedTo && { assignedTo: row.assignedTo }),
    isSample: false,
  };
}

/**
 * A notification that takes part later gets further firings at once. A delivery may also have waited for the end of a
 * mute.
 */
function escalationOf(row: AlertRow, sentMs: number | undefined): Pick<Alert, 'unacknowledgedMs'> {
  const { kind, escalation, afterMute, afterS, triedMs, firedMs, begunMs } = row;
  const untilMs = escalation ? (triedMs ?? sentMs) : firedMs;
  if (kind === 'end' || begunMs === null || untilMs === undefined || untilMs === null) return {};
  const unacknowledgedMs = untilMs - begunMs;
  const isEscalation = (escalation && !afterMute) || (afterS > 0 && unacknowledgedMs >= afterS * 1000);
  return isEscalation ? { unacknowledgedMs } : {};
}

function beginOf({ firedMs, createdMs }: AlertRow, variables: FiringVariables | null) {
  const atMs = firedMs ?? createdMs;
  const date = variables?.sensor_data_date ?? null;
  const dateMs = date === null ? atMs : Math.round(date * 1000);
  return { state: 'firing' as const, value: variables?.sensor_data_value ?? null, dateMs, atMs };
}

function endOf({ endedMs, endValue, endDateMs, createdMs }: AlertRow) {
  const atMs = endedMs ?? createdMs;
  return { state: 'resolved' as const, value: endValue, dateMs: endDateMs ?? atMs, atMs };
}
