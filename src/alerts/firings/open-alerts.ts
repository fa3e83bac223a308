import type { RowDataPacket } from 'mysql2/promise';
import { readTriggersOfOthers } from '../../access/alert-access';
import type { Severity } from '../../edge/severity';
import type { Sql } from '../../storage/find-page';
import type { Reader } from '../../storage/read-pool';
import { runOn } from '../../storage/transaction';

export interface OpenAlert {
  trigger: string;
  sensorId: number;
  sensor: string;
  severity: Severity;
  sinceMs: number;
  isAcknowledged: boolean;
}

const MAX_ALERTS = 50;

interface Wanted {
  ownerId: number;
  /** False with those of others that the owner sees. */
  isOnlyOwn: boolean;
  sensorIds: readonly number[] | 'all';
  shownSensorsSql: string;
}

/** 50 open episodes, unacknowledged ones first, then by severity, then the latest; and the number of all. */
export async function readOpenAlerts(
  reads: Reader,
  { ownerId, isOnlyOwn, sensorIds, shownSensorsSql }: Wanted,
): Promise<{ alerts: OpenAlert[]; alertCount: number }> {
  if (sensorIds.length === 0) return { alerts: [], alertCount: 0 };
  const only = sensorIds === 'all' ? '' : 'AND f.sensor_id IN (?)';
  const seen = await openFirings(reads, ownerId, isOnlyOwn);
  const from = `FROM (${seen.text}) seen JOIN firings f ON f.id = seen.id
      JOIN triggers t ON t.id = f.trigger_id JOIN sensors s ON s.id = f.sensor_id
    WHERE (f.owner_id <> ${Number(ownerId)} OR s.id IN (${shownSensorsSql})) ${only}`;
  const values = [...seen.values, ...(sensorIds === 'all' ? [] : [sensorIds])];
  const [rows] = await reads.query<RowDataPacket[]>(
    `SELECT t.name AS trigger_name, s.id AS sensorId, COALESCE(NULLIF(s.display_name, ''), s.name) AS sensor, t.severity,
       f.fired_ms AS sinceMs, f.acknowledged_ms IS NOT NULL AS isAcknowledged
     ${from} ORDER BY isAcknowledged, FIELD(t.severity, 'critical', 'warning', 'info'), f.fired_ms DESC, f.id DESC
     LIMIT ${MAX_ALERTS}`,
    values,
  );
  const [[counted]] = await reads.query<RowDataPacket[]>(`SELECT COUNT(*) AS total ${from}`, values);
  return {
    alerts: rows.map((row) => ({
      sensorId: Number(row.sensorId),
      ...{ trigger: row.trigger_name, sensor: row.sensor, severity: row.severity, sinceMs: Number(row.sinceMs) },
      isAcknowledged: Number(row.isAcknowledged) === 1,
    })),
    alertCount: Number(counted?.total),
  };
}

/** MySQL would read the history of a trigger without the hint. */
const OPEN = 'SELECT f.id FROM firings f FORCE INDEX (firings_lasting) WHERE f.is_lasting = TRUE AND';

async function openFirings(reads: Reader, ownerId: number, isOnlyOwn: boolean): Promise<Sql> {
  const own = { text: `${OPEN} f.owner_id = ?`, values: [ownerId] };
  const others = isOnlyOwn
    ? new Map<number, readonly number[]>()
    : await readTriggersOfOthers(runOn(reads), ownerId, 'see');
  if (others.size === 0) return own;
  const text = `${own.text} UNION ALL ${OPEN} f.owner_id IN (?) AND f.trigger_id IN (?)`;
  return { text, values: [ownerId, [...others.keys()], [...others.values()].flat()] };
}
