import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { usePlatform, useUser } from '../../support/hooks';

const ROWS = 700;

describe('a page of more than 32 MB', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let sensorId: string;
  let path: string;

  before(async () => {
    const alarm = await buildAlarm(user, {
      sensor: { data_type: 'string' },
      trigger: { expression: 'sensor_data_value == "x"' },
      notifications: [],
    });
    sensorId = alarm.sensorId;
    path = `/sensors/${sensorId}/triggers/${alarm.triggerId}/firings`;
    const { pool } = platform.container.database;
    const large = "REPEAT('7', 65000)";
    const numbers = `(WITH RECURSIVE n AS (SELECT 1 AS at UNION ALL SELECT at + 1 FROM n WHERE at < ${ROWS}) SELECT at FROM n) n`;
    await pool.query(
      `INSERT INTO data_points (sensor_id, date_ms, value, delay_s) SELECT ?, at * 86400000, ${large}, 1 FROM ${numbers}`,
      [sensorId],
    );
    await pool.query(
      `INSERT INTO firings (owner_id, sensor_id, trigger_id, sensor_trigger_id, reason, fired_ms, variables)
       SELECT ?, ?, ?, 1, 'became-true', at, CONCAT('{"a":"', ${large}, '"}') FROM ${numbers}`,
      [user.id, sensorId, alarm.triggerId],
    );
    await pool.query(
      `INSERT INTO deliveries (webhook_id, owner_id, notification_id, kind, type, destination, text, status, next_attempt_ms, created_ms)
       SELECT CONCAT('large-', at), ?, 1, 'test', 'email', 'a@example.org', ${large}, 'delivered', 1, 1 FROM ${numbers}`,
      [user.id],
    );
  });

  const refuses = async (url: string) => {
    const { status, body } = await user.api.get(url);
    assert.deepEqual([status, body.code, Object.keys(body.fields ?? {})], [400, 'invalid_input', ['per_page']], url);
    assert.match(body.error, /32 MB.*fewer per page/);
  };
  const returns = async (url: string, key: string, count: number) => {
    const { status, body } = await user.api.get(url);
    assert.deepEqual([status, body[key]?.length, body.total], [200, count, ROWS], url);
  };

  it('is refused, and smaller ones return every row', async () => {
    for (const [url, key] of [
      [`/sensors/${sensorId}/data`, 'data'],
      [path, 'firings'],
      ['/deliveries', 'deliveries'],
    ] as const) {
      await refuses(`${url}?per_page=1000&total=1`);
      await returns(`${url}?per_page=400&total=1`, key, 400);
      await returns(`${url}?per_page=400&page=1&total=1`, key, 300);
      await returns(`${url}?per_page=600&page=1&total=1`, key, 100);
    }
  });

  it('is refused for several sensors, but not where means replace the values', async () => {
    await refuses(`/sensors/data?sensor_id[]=${sensorId}&per_page=1000`);
    await refuses(`/sensors/${sensorId}/data?per_page=1000&sort=DESC`);
    await platform.container.database.pool.query("UPDATE data_points SET value = '7' WHERE sensor_id = ?", [sensorId]);
    await returns(`/sensors/${sensorId}/data?per_page=1000&interval=86400&total=1`, 'data', ROWS);
    await returns(`/sensors/${sensorId}/data?per_page=1000&total=1`, 'data', ROWS);
  });
});
