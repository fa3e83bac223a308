import assert from 'node:assert/strict';
import { once } from 'node:events';
import { buildAlarm } from '../../support/alarm';
import { upload } from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { startWorkerElsewhere } from '../../support/other-process';
import { until } from '../../support/until';

describe('a worker that is asked to end', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUser(platform);

  it('finishes the attempt that is under way, and leaves neither leases, permits nor jobs behind', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 10' },
      notifications: [{ type: 'url', destination: receiver.url }],
    });
    const worker = await startWorkerElsewhere(platform, platform.container.config.redisUrl);
    try {
      const ended = once(worker, 'exit');
      receiver.responses.push((response) => {
        worker.kill('SIGTERM');
        setTimeout(() => response.writeHead(200).end(), 1_500);
      });
      await upload(user, sensorId, { value: 11 });
      assert.deepEqual(await ended, [0, null]);
    } finally {
      worker.kill('SIGKILL');
    }
    assert.equal(receiver.received.length, 1);
    const [delivery] = await platform.query('SELECT status, lease, permit, lease_until_ms AS until FROM deliveries');
    assert.deepEqual({ ...delivery }, { status: 'delivered', lease: null, permit: null, until: null });
    const leases = await platform.query('SELECT name FROM maintenance_cursors WHERE lease_until_ms > 0');
    assert.deepEqual(leases, []);
    for (const queue of Object.values(platform.container.queues)) assert.equal(await queue.getActiveCount(), 0);
  });

  it('logs what it waits for when that takes long', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 10' },
      notifications: [{ type: 'url', destination: receiver.url }],
    });
    const worker = await startWorkerElsewhere(platform, platform.container.config.redisUrl);
    let log = '';
    worker.stdout?.on('data', (text) => {
      log += text;
    });
    try {
      const ended = once(worker, 'exit');
      receiver.responses.push((response) => {
        worker.kill('SIGTERM');
        void until('it is logged', () => log.includes('closing takes long')).then(() => response.writeHead(200).end());
      });
      await upload(user, sensorId, { value: 11 });
      assert.deepEqual(await ended, [0, null]);
    } finally {
      worker.kill('SIGKILL');
    }
    assert.match(log, /"waitingFor":\["queue deliveries: \d+ jobs, \d+ attempts without a job, and its connections"\]/);
  });
});
