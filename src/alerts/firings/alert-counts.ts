import type { RowDataPacket } from 'mysql2/promise';
import type { Reader } from '../../storage/read-pool';

export interface AlertCounts {
  alerts: number;
  acknowledged: number;
  /** Usernames, in order. */
  acknowledgedBy: string[];
}

interface Scope {
  userId: number;
  sensorIds: readonly number[];
}

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
  if (sensorIds.length > 0 && startsMs.length > 0) {
    const [rows] = await reads.query<RowDataPacket[]>(
      `SELECT f.sensor_id AS sensorId, INTERVAL(f.fired_ms, ${startsMs.map(Number).join()}) AS place, u.username,
         COUNT(*) AS alerts, COUNT(f.acknowledged_ms) AS acknowledged
       FROM firings f LEFT JOIN users u ON u.id = f.acknowledged_by
       WHERE f.owner_id = ? AND f.fired_ms >= ? AND f.fired_ms < ? AND f.sensor_id IN (?) AND f.episode_id IS NULL
         AND EXISTS (SELECT 1 FROM triggers t WHERE t.id = f.trigger_id)
       GROUP BY f.sensor_id, place, u.username ORDER BY u.username`,
      [userId, startsMs[0], endMs, sensorIds],
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
  if (row.username !== null) known.acknowledgedBy.push(String(row.username));
  counts.set(key, known);
}

function keyOf(sensorId: number, period: number): string {
  return `${sensorId} ${period}`;
}

function none(): AlertCounts {
  return { alerts: 0, acknowledged: 0, acknowledgedBy: [] };
}
