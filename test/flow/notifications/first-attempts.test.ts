import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { upload } from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { until } from '../../support/until';

const ALWAYS = { expression: 'sensor_data_value > 0' };

/** Of the receiver, over all workers. */
const PERMITS = 12;

describe('first attempts', () => {
  const platform = usePlatform({
    config: { DELIVERY_RECEIVER_CONCURRENCY: String(PERMITS), DELIVERY_CONCURRENCY: '8' },
  });
  const receiver = useReceiver();
  const user = useUser(platform);

  before(() => platform.container.queues.deliveries.pause());
  after(() => platform.stopWorkers());

  const alarm = (path: string, count = 1) =>
    buildAlarm(user, {
      trigger: ALWAYS,
      notifications: Array.from({ length: count }, () => ({ destination: `${receiver.url}${path}` })),
    });
  const received = (path: string) => receiver.received.filter((request) => request.path === path).length;

  it('are made by the worker of the evaluation pass, without the queue', async () => {
    await platform.startWorkers(['evaluation', 'deliveries']);
    const { sensorId } = await alarm('/direct');
    await upload(user, sensorId, { value: 1 });
    await until('it has been received', async () => received('/direct') === 1);
    await until('it is recorded', async () => (await pending()) === 0);
    assert.equal(await queued(), 0);
  });

  it('go through the queue when there are many of them, so that others have theirs at once', async () => {
    const { sensorId } = await alarm('/many', 12);
    await upload(user, sensorId, { value: 1 });
    await until('seven have been received', async () => received('/many') === 7);
    await until('they are recorded', async () => (await pending()) === 5);
    await platform.container.queues.deliveries.resume();
    await until('all have been received', async () => received('/many') === 12);
    await until('they are recorded', async () => (await pending()) === 0);
    await platform.container.queues.deliveries.pause();
  });

  it('of more than a receiver has permits for wait apart from the queue, and follow those that have ended', async () => {
    const { sensorId } = await alarm('/storm', 20);
    await upload(user, sensorId, { value: 1 });
    await until('some have followed the first seven', async () => received('/storm') > 7);
    await until('all but those in the queue are recorded', async () => (await pending()) === (await queued()));
    assert.deepEqual(await platform.query('SELECT * FROM throttled_deliveries'), []);
    await platform.container.queues.deliveries.resume();
    await until('all have been received', async () => received('/storm') === 20);
    await until('they are recorded', async () => (await pending()) === 0);
    const [attempts] = await platform.query(
      "SELECT COUNT(*) AS count, COUNT(DISTINCT delivery_id) AS deliveries FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.destination LIKE '%/storm'",
    );
    assert.deepEqual(attempts, { count: 20, deliveries: 20 });
    await platform.container.queues.deliveries.pause();
  });

  it('go through the queue when the process takes none of its jobs', async () => {
    await platform.stopWorkers();
    await platform.startWorkers(['evaluation']);
    const { sensorId } = await alarm('/elsewhere');
    await upload(user, sensorId, { value: 1 });
    await until('it waits', async () => (await pending()) === 1);
    assert.equal(received('/elsewhere'), 0);
    await platform.container.queues.deliveries.resume();
    await platform.startWorkers(['deliveries']);
    await until('it has been received', async () => received('/elsewhere') === 1);
  });

  function queued(): Promise<number> {
    return platform.container.queues.deliveries.getJobCountByTypes('waiting', 'prioritized');
  }

  async function pending(): Promise<number> {
    return (await platform.query("SELECT id FROM deliveries WHERE status = 'pending'")).length;
  }
});
