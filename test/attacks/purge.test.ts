import type { RowDataPacket } from 'mysql2/promise';
import { buildNotification, buildSensor } from '../support/factories';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const DELIVERIES = 40_000;
const LARGE_TEXTS = 1_500;
const POINTS = 200_000;
const DAY_MS = 86_400_000;
const WAIT_MS = 120_000;
const DIGITS =
  '(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)';
/** The numbers from 0 on; a parameter says how many. */
const NUMBERS = `(SELECT a.d + 10 * b.d + 100 * c.d + 1000 * d.d + 10000 * e.d + 100000 * f.d AS n
  FROM ${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${DIGITS} ${name}`).join(', ')} HAVING n < ?) numbers`;

describe('an attack by what has to be deleted', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform({ HISTORY_RETENTION_DAYS: '1', DATA_RETENTION_DAYS: '1' });
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const oldMs = Date.now() - 3 * DAY_MS;

  const count = async (where: string, values: unknown[]) => {
    const [[row]] = await platform.pool.query<RowDataPacket[]>(`SELECT COUNT(*) AS total FROM ${where}`, values);
    return Number(row?.total);
  };
  const insertDeliveries = async (notificationId: string, rows: number, text: string) => {
    await platform.pool.query(
      `INSERT INTO deliveries (webhook_id, owner_id, notification_id, kind, type, destination, receiver, text, status, created_ms, finished_ms)
       SELECT CONCAT('msg_', MD5(CONCAT(LENGTH(?), '-', numbers.n))), ?, ?, 'test', 'url', 'http://a.test', 'a.test:80', ?, 'delivered', ?, ?
       FROM ${NUMBERS}`,
      [text, attacker.id, notificationId, text, oldMs, oldMs, rows],
    );
  };
  const insertPoints = async (sensorId: string) => {
    await platform.pool.query(
      `INSERT INTO data_points (sensor_id, date_ms, value, delay_s)
       SELECT ?, ? - numbers.n * 1000, REPEAT('x', 200), 0
       FROM ${NUMBERS}`,
      [sensorId, oldMs, POINTS],
    );
  };

  it('of 40,000 finished deliveries and 200,000 old points at once delays nobody', async () => {
    const notificationId = await buildNotification(attacker, { destination: 'http://a.test' });
    const sensorId = await buildSensor(attacker, { data_type: 'string' });
    await insertDeliveries(notificationId, DELIVERIES, 'short');
    await insertDeliveries(notificationId, LARGE_TEXTS, 'x'.repeat(60_000));
    await insertPoints(sensorId);
    const left = async () =>
      (await count('deliveries WHERE owner_id = ?', [attacker.id])) +
      (await count('data_points WHERE sensor_id = ? AND date_ms < ?', [sensorId, oldMs]));
    const seen = await bystander.during(async () => {
      platform.startPurge();
      await until('most is deleted', async () => (await left()) < POINTS / 4, WAIT_MS);
    });
    console.log(`      ${JSON.stringify(seen)}, ${await left()} left`);
  });
});
