import type { Worker } from 'bullmq';
import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { scheduleRepeats } from '../../jobs/schedule.job';
import { registry } from '../../workers/registry';
import { runWorker } from '../../workers/run-worker';
import { buildAlarm } from '../support/alarm';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { type Receiver, startReceiver } from '../support/receiver';

describe('the sweep of a single worker process', () => {
  let platform: Platform;
  let receiver: Receiver;
  let user: TestUser;
  let blocker: PoolConnection;
  let workers: Worker[] = [];

  before(async () => {
    [platform, receiver] = [await startPlatform(), await startReceiver()];
    user = await platform.user();
    blocker = await platform.container.database.pool.getConnection();
  });
  after(async () => {
    await blocker.rollback();
    blocker.release();
    await Promise.all(workers.map((worker) => worker.close()));
    await receiver.close();
    await platform.close();
  });

  const query = async (sql: string, values: unknown[] = []) =>
    (await platform.container.database.pool.query<RowDataPacket[]>(sql, values))[0];
  const startWorkers = async () => {
    const { container } = platform;
    await scheduleRepeats(container.queues.schedule);
    const names = ['sensor-actors', 'deliveries', 'schedule'] as const;
    workers = names.map((name) => runWorker(name, registry[name], container));
  };
  /** A removal of old points that does not come to its end. */
  const startEndlessPurge = async () => {
    const { id } = (await user.api.post('/sensors', { sensor: { name: 'old' } })).body.sensor;
    await user.api.post(`/sensors/${id}/data`, { value: 1 });
    await platform.settle();
    await blocker.beginTransaction();
    await blocker.query('SELECT * FROM data_points WHERE sensor_id = ? FOR UPDATE', [id]);
    await query('INSERT INTO purges (sensor_id, created_ms) VALUES (?, ?)', [id, Date.now()]);
    await startWorkers();
    const isUnderWay = async () =>
      (await query("SELECT id FROM information_schema.processlist WHERE info LIKE 'DELETE FROM data_points%'")).length >
      0;
    while (!(await isUnderWay())) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it('tells of a silence while a long removal of old points is under way', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: { inactivity: 60 },
      notifications: [{ type: 'url', destination: receiver.url, text: 'silent' }],
    });
    await startEndlessPurge();
    await query(
      'UPDATE sensor_triggers SET silent_since_ms = silent_since_ms - 60000, due_at_ms = due_at_ms - 60000 WHERE sensor_id = ?',
      [sensorId],
    );
    await platform.container.heartbeat.beat();
    await receiver.waitFor(1, 5_000);
  });
});
