import type { Connection } from 'mysql2/promise';
import { buildAlarm } from '../../support/alarm';
import { buildSensor, upload } from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { connectOtherClient } from '../../support/other-client';
import { until } from '../../support/until';

describe('the reconciler of a single worker process', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUser(platform);
  let blocker: Connection;

  before(async () => {
    blocker = await connectOtherClient(platform);
  });
  after(async () => {
    await blocker.rollback();
    await blocker.end();
  });

  /** A removal of old points that does not end. */
  const startEndlessPurge = async () => {
    const id = await buildSensor(user);
    await upload(user, id, { value: 1 });
    await platform.settle();
    await blocker.beginTransaction();
    await blocker.query('SELECT * FROM data_points WHERE sensor_id = ? FOR UPDATE', [id]);
    await platform.query(`INSERT INTO purge_queue (kind, thing_id, owner_id, created_ms) VALUES ('sensor', ?, 1, ?)`, [
      id,
      Date.now(),
    ]);
    await platform.startWorkers(['evaluation', 'deliveries', 'schedule']);
    void platform.container.schedule.run('purge');
    const removals = "SELECT id FROM information_schema.processlist WHERE info LIKE 'DELETE FROM data_points%'";
    await until('old points are being removed', async () => (await platform.query(removals)).length > 0);
  };

  it('detects inactivity during a long removal of old points', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: { inactivity: 60 },
      notifications: [{ destination: receiver.url }],
    });
    await startEndlessPurge();
    await platform.query(
      'UPDATE sensor_triggers SET inactive_since_ms = inactive_since_ms - 60000, due_at_ms = due_at_ms - 60000 WHERE sensor_id = ?',
      [sensorId],
    );
    await platform.container.heartbeat.beat();
    await receiver.waitFor(1);
  });
});
