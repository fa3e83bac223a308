import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { buildAlarm } from './alarm';
import type { Platform, TestUser } from './platform';

const ROWS_PER_INSERT = 5_000;

/** How much history an account has. */
export interface History {
  points: number;
  /** Each with one delivery, which took one attempt. */
  firings: number;
  /** When all of it happened. */
  atMs: number;
}

/** Gives a user a sensor with a trigger and that much history; returns the ids of the sensor and the trigger. */
export async function buildHistory(
  pool: Pool,
  user: TestUser,
  { points, firings, atMs }: History,
): Promise<{ sensorId: number; triggerId: number }> {
  const alarm = await buildAlarm(user, {
    trigger: { expression: 'sensor_data_value > 1000' },
    notifications: [{ type: 'url', destination: 'http://127.0.0.1:9/' }],
  });
  const [sensorId, triggerId, notificationId] = [alarm.sensorId, alarm.triggerId, alarm.notificationIds[0]].map(Number);
  const [[pair]] = await pool.query<RowDataPacket[]>('SELECT id FROM sensor_triggers WHERE sensor_id = ?', [sensorId]);
  const insert = async (sql: string, count: number, row: (index: number) => unknown[]): Promise<number[]> => {
    const ids: number[] = [];
    for (let start = 0; start < count; start += ROWS_PER_INSERT) {
      const length = Math.min(ROWS_PER_INSERT, count - start);
      const rows = Array.from({ length }, (_, index) => row(start + index));
      const [{ insertId }] = await pool.query<ResultSetHeader>(`INSERT INTO ${sql} VALUES ?`, [rows]);
      ids.push(...rows.map((_, index) => insertId + index));
    }
    return ids;
  };
  await insert('data_points (sensor_id, date_ms, value, delay_s)', points, (index) => [
    ...[sensorId, atMs - index, '1', 1],
  ]);
  const firingIds = await insert(
    'firings (owner_id, sensor_id, trigger_id, sensor_trigger_id, reason, fired_ms, variables)',
    firings,
    (index) => [user.id, sensorId, triggerId, pair?.id, 'expression', atMs - index, '{}'],
  );
  const deliveryIds = await insert(
    `deliveries (webhook_id, owner_id, notification_id, kind, type, destination, text, status, firing_id, sensor_id, trigger_id,
       attempts, created_ms, finished_ms)`,
    firings,
    (index) => [
      ...[
        `${user.id}-${sensorId}-${index}`,
        user.id,
        notificationId,
        'firing',
        'url',
        'http://127.0.0.1:9/',
        'x'.repeat(100),
      ],
      ...['delivered', firingIds[index], sensorId, triggerId, 1, atMs, atMs],
    ],
  );
  await insert('delivery_attempts (delivery_id, date_ms, status_code, duration_ms)', firings, (index) => [
    ...[deliveryIds[index], atMs, 200, 5],
  ]);
  return { sensorId: Number(sensorId), triggerId: Number(triggerId) };
}

/** The tables that hold rows of a parent that is gone, with how many there are. */
export async function countOrphans(platform: Platform): Promise<Record<string, number>> {
  const orphans: Record<string, number> = {};
  for (const [table, column, parent] of REFERENCES) {
    const [row] = await platform.query(
      `SELECT COUNT(*) AS total FROM ${table} c LEFT JOIN ${parent} p ON p.id = c.${column} WHERE p.id IS NULL AND c.${column} IS NOT NULL`,
    );
    if (Number(row?.total) > 0) orphans[`${table}.${column}`] = Number(row?.total);
  }
  return orphans;
}

const REFERENCES = [
  ['data_points', 'sensor_id', 'sensors'],
  ['firings', 'owner_id', 'users'],
  ['firings', 'sensor_id', 'sensors'],
  ['firings', 'trigger_id', 'triggers'],
  ['deliveries', 'owner_id', 'users'],
  ['deliveries', 'sensor_id', 'sensors'],
  ['deliveries', 'trigger_id', 'triggers'],
  ['deliveries', 'firing_id', 'firings'],
  ['delivery_attempts', 'delivery_id', 'deliveries'],
  ['throttled_deliveries', 'delivery_id', 'deliveries'],
  ['sensors', 'owner_id', 'users'],
  ['triggers', 'owner_id', 'users'],
  ['sensor_triggers', 'sensor_id', 'sensors'],
  ['sensor_triggers', 'trigger_id', 'triggers'],
  ['notifications', 'owner_id', 'users'],
  ['event_notifications', 'owner_id', 'users'],
  ['group_users', 'user_id', 'users'],
  ['former_members', 'user_id', 'users'],
  ['former_members', 'group_id', 'user_groups'],
  ['group_sensors', 'sensor_id', 'sensors'],
  ['metatags', 'sensor_id', 'sensors'],
  ['services', 'id', 'sensors'],
] as const;
