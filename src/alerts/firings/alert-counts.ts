import type { RowDataPacket } from 'mysql2/promise';
import { seenFiringsSql } from '../../access/alert-access';
import type { Reader } from '../../storage/read-pool';

export interface AlertCounts {
  alerts: number;
  acknowledged: number;
  /** Usernames, and persons of links, in order. */
  acknowledgedBy: string[];
}

interface Scope {
  userId: number;
  sensorIds: readonly number[];
}

const IN_RANGE = 'f.fired_ms >= ? AND f.fired_ms < ? AND f.sensor_id IN (?) AND f.episode_id IS NULL';

/**
 * Counts the episodes that began in each of the periods, which follow each other and end before `endMs`. Returns a
 * function of a sensor and the place of a period.
 */
export async function countAlerts(
  reads: Reader,
  { userId, sensorIds }: Scope,
  { startsMs, endMs }: { startsMs: readonly number[]; endMs: number },
): Promise<(sensorId: number, period: number) => AlertCounts> {
  const counts = new Map<string, AlertCounts>();
  const range = [startsMs[0], endMs, sensorIds];
  if (sensorIds.length > 0 && startsMs.length > 0) {
    const [rows] = await reads.query<RowDataPacket[]>(
      `SELECT f.sensor_id AS sensorId, INTERVAL(f.fired_ms, ${startsMs.map(Number).join()}) AS place,
         IF(f.acknowledged_person IS NULL, u.username, NULLIF(f.acknowledged_person, '')) AS person,
         COUNT(*) AS alerts, COUNT(f.acknowledged_ms) AS acknowledged
       FROM (${seenFiringsSql(userId, IN_RANGE)}) seen JOIN firings f ON f.id = seen.id
         LEFT JOIN users u ON u.id = f.acknowledged_by
       WHERE EXISTS (SELECT 1 FROM triggers t WHERE t.id = f.trigger_id)
       GROUP BY f.sensor_id, place, person ORDER BY person`,
      [...range, ...range],
    );
    for (const row of rows) addTo(counts, row);
  }
  return (sensorId, period) => counts.get(keyOf(sensorId, period)) ?? none();
}

function addTo(counts: Map<string, AlertCounts>, row: RowDataPacket): void {
  const key = keyOf(Number(row.sensorId), Number(row.place) - 1);
  const known = counts.get(key) ?? none();
  known.alerts += Number(row.alerts);
  known.acknowledged += Number(row.acknowledged);
  if (row.person !== null) known.acknowledgedBy.push(String(row.person));
  counts.set(key, known);
}

function keyOf(sensorId: number, period: number): string {
  return `${sensorId} ${period}`;
}

function none(): AlertCounts {
  return { alerts: 0, acknowledged: 0, acknowledgedBy: [] };
}
