import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { EvaluationPayload } from '../../../jobs/evaluation.job';
import { buildAlarm } from '../../support/alarm';
import { upload } from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { connectOtherClient } from '../../support/other-client';
import { startWorkerElsewhere } from '../../support/other-process';
import { Stopwatch } from '../../support/stopwatch';
import { until } from '../../support/until';

const GOES_ON_WITHIN_MS = 5_000;

describe('a worker that dies during an evaluation pass', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUser(platform);

  after(() => platform.stopWorkers());

  it('is followed by another one within five seconds, which handles its points once', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 10' },
      notifications: [{ type: 'url', destination: receiver.url }],
    });
    const { config, queues } = platform.container;
    const worker = await startWorkerElsewhere(platform, config.redisUrl);
    const other = await connectOtherClient(platform);
    try {
      await other.beginTransaction();
      await other.query('SELECT * FROM partitions FOR UPDATE'); // its pass waits for that
      await upload(user, sensorId, { value: 11 });
      const partition = Number(sensorId) % config.partitions;
      // One that has just ended is listed without being there any more.
      const isOfIt = (job?: { data: EvaluationPayload }) =>
        job !== undefined && [job.data.partition, ...(job.data.others ?? [])].includes(partition);
      await until('its pass is running', async () => (await queues.evaluation.getActive()).some(isOfIt));
      const ended = once(worker, 'exit');
      worker.kill('SIGKILL');
      const watch = new Stopwatch();
      await ended;
      await platform.startWorkers(['evaluation', 'deliveries']);
      await other.rollback();
      await until('the point has fired', () => receiver.received.length > 0);
      assert.ok(watch.stop() < GOES_ON_WITHIN_MS, `it took ${watch.read()} ms`);
    } finally {
      worker.kill('SIGKILL');
      await other.end();
    }
    await until('nothing waits', async () => (await platform.query('SELECT id FROM inbox_batches')).length === 0);
    assert.equal((await platform.query('SELECT id FROM firings')).length, 1);
    assert.equal(receiver.received.length, 1);
  });
});
