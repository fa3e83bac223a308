import assert from 'node:assert/strict';
import { WorkerCount } from '../../src/queue/shard-assignment';
import { buildAlarm } from '../support/alarm';
import { upload } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { usePlatform, useReceiver, useUser } from '../support/hooks';

describe('the number of workers', () => {
  const clock = fakeClock();
  const platform = usePlatform({ config: { SENSOR_PARTITIONS: '8' } });
  const user = useUser(platform);
  const receiver = useReceiver();
  const counting = () => new WorkerCount(platform.container.redisClient, platform.container.config.redisPrefix, clock);

  it('is that of those that have announced themselves lately and have not left', async () => {
    const count = counting();
    await count.refresh();
    assert.equal(count.latest, undefined);
    for (const name of ['one', 'two', 'three', 'two']) await count.announce(name);
    await count.refresh();
    assert.equal(count.latest, 3);
    await count.leave('one');
    clock.advance(10_000);
    await count.announce('two');
    clock.advance(10_000);
    await count.announce('four');
    await count.refresh();
    assert.equal(count.latest, 2);
    const away = new WorkerCount({ ask: () => Promise.reject(new Error('away')) }, 'prefix', clock);
    await away.refresh();
    assert.equal(away.latest, undefined);
    await away.leave('one');
  });

  it('lets each worker get one nudge, whose passes evaluate the waiting points of all its partitions', async () => {
    const { workerCount, jobQueue, queues } = platform.container;
    const woken = async () => {
      await workerCount.refresh();
      await jobQueue.nudgeEvaluation([0, 1, 2, 3, 4, 5, 6, 7]);
      const jobs = await queues.evaluation.getJobs(['prioritized']);
      await queues.evaluation.obliterate({ force: true });
      return jobs.map(({ data }) => [data.partition, ...data.others].join()).sort();
    };
    await workerCount.announce('one');
    await workerCount.announce('two');
    assert.deepEqual(await woken(), ['0,2,4,6', '1,3,5,7']);
    await workerCount.leave('two');
    assert.deepEqual(await woken(), ['0,1,2,3,4,5,6,7']);
    const alarms = [];
    for (let index = 0; index < 8; index += 1) {
      const trigger = { expression: 'sensor_data_value > 1' };
      alarms.push(await buildAlarm(user, { trigger, notifications: [{ destination: receiver.url }] }));
    }
    await platform.startWorkers(['evaluation', 'deliveries']);
    for (const { sensorId } of alarms) await upload(user, sensorId, { value: 2 });
    await receiver.waitFor(8, 10_000);
  });
});
