import type { PoolConnection } from 'mysql2/promise';
import { buildAlarm } from '../support/alarm';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { type Receiver, startReceiver } from '../support/receiver';
import { until } from '../support/until';

describe('the sweep of a single worker process', () => {
  let platform: Platform;
  let receiver: Receiver;
  let user: TestUser;
  let blocker: PoolConnection;

  before(async () => {
    [platform, receiver] = [await startPlatform(), await startReceiver()];
    user = await platform.user();
    blocker = await platform.container.database.pool.getConnection();
  });
  after(async () => {
    await blocker.rollback();
    blocker.release();
    await receiver.close();
    await platform.close();
  });

  /** A removal of old points that does not come to its end. */
  const startEndlessPurge = async () => {
    const { id } = (await user.api.post('/sensors', { sensor: { name: 'old' } })).body.sensor;
    await user.api.post(`/sensors/${id}/data`, { value: 1 });
    await platform.settle();
    await blocker.beginTransaction();
    await blocker.query('SELECT * FROM data_points WHERE sensor_id = ? FOR UPDATE', [id]);
    await platform.query('INSERT INTO purges (sensor_id, created_ms) VALUES (?, ?)', [id, Date.now()]);
    await platform.startWorkers(['sensor-actors', 'deliveries', 'schedule']);
    const removals = "SELECT id FROM information_schema.processlist WHERE info LIKE 'DELETE FROM data_points%'";
    await until('old points are being removed', async () => (await platform.query(removals)).length > 0);
  };

  it('tells of an inactivity while a long removal of old points is under way', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: { inactivity: 60 },
      notifications: [{ type: 'url', destination: receiver.url, text: 'silent' }],
    });
    await startEndlessPurge();
    await platform.query(
      'UPDATE sensor_triggers SET silent_since_ms = silent_since_ms - 60000, due_at_ms = due_at_ms - 60000 WHERE sensor_id = ?',
      [sensorId],
    );
    await platform.container.heartbeat.beat();
    await receiver.waitFor(1, 5_000);
  });
});
