import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { SensorState } from '../actors/sensor.actor';

/** Loads, and locks until the end of the turn, the active triggers of these sensors with their state. */
export async function loadSensors(connection: PoolConnection, sensorIds: number[]): Promise<Map<number, SensorState>> {
  if (sensorIds.length === 0) return new Map();
  const [states] = await connection.query<RowDataPacket[]>(
    'SELECT * FROM sensor_triggers WHERE sensor_id IN (?) AND active ORDER BY sensor_id, trigger_id FOR UPDATE',
    [sensorIds],
  );
  if (states.length === 0) return new Map();
  const triggers = await byId(
    connection,
    'SELECT id, owner_id, name, expression, inactivity FROM triggers WHERE id IN (?)',
    states.map((row) => Number(row.trigger_id)),
  );
  const sensors = await byId(
    connection,
    'SELECT id, name, data_type FROM sensors WHERE id IN (?)',
    states.map((row) => Number(row.sensor_id)),
  );
  const loaded = new Map<number, SensorState>();
  for (const row of states) {
    const sensor = sensors.get(Number(row.sensor_id));
    const trigger = triggers.get(Number(row.trigger_id));
    if (!sensor || !trigger) continue;
    const id = Number(sensor.id);
    const state = loaded.get(id) ?? {
      sensor: { id, name: String(sensor.name), dataType: String(sensor.data_type) },
      triggers: [],
    };
    state.triggers.push({
      sensorTriggerId: Number(row.id),
      triggerId: Number(trigger.id),
      triggerName: String(trigger.name),
      ownerId: Number(trigger.owner_id),
      expression: trigger.expression,
      inactivity: trigger.inactivity,
      state: {
        active: true,
        lastTriggeredMs: row.last_triggered_ms,
        timesTriggered: row.times_triggered,
        lastValue: row.last_data_value,
        lastDateMs: row.last_date_ms,
        lastError: row.last_error,
        inactiveSinceMs: row.inactive_since_ms,
        dueAtMs: row.due_at_ms,
      },
    });
    loaded.set(id, state);
  }
  return loaded;
}

async function byId(connection: PoolConnection, sql: string, ids: number[]): Promise<Map<number, RowDataPacket>> {
  const [rows] = await connection.query<RowDataPacket[]>(sql, [[...new Set(ids)]]);
  return new Map(rows.map((row) => [Number(row.id), row]));
}
