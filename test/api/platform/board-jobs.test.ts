import assert from 'node:assert/strict';
import type { QueueName } from '../../../jobs/queues';
import { handleDelivery } from '../../../workers/delivery.worker';
import { buildAlarm } from '../../support/alarm';
import { buildNotification, upload } from '../../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import type { ReceiverResponse } from '../../support/receiver';
import { until } from '../../support/until';

const LOGIN = `Basic ${Buffer.from('operator:board-password').toString('base64')}`;
const SECRET = 'a-secret-path';

describe('jobs on the queue board', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  afterEach(async () => {
    await platform.stopWorkers();
    for (const queue of Object.values(platform.container.queues)) await queue.obliterate({ force: true });
  });

  const board = (path: string) => platform.anonymous.get(`/admin/queues/api/${path}`, { Authorization: LOGIN });
  const put = (path: string) =>
    platform.anonymous.put(`/admin/queues/api/${path}`, undefined, { Authorization: LOGIN });
  const jobsOf = async (queue: QueueName, status: string) => {
    const { queues } = (await board(`queues?activeQueue=${queue}&status=${status}`)).body;
    return queues.find(({ name }: { name: string }) => name === queue).jobs;
  };
  const oneOf = (queue: QueueName, status: string) =>
    until(`one job is ${status}`, async () => (await jobsOf(queue, status)).length === 1).then(
      async () => (await jobsOf(queue, status))[0],
    );
  const deliveries = async () => (await user.api.get('/deliveries')).body.deliveries;

  /** Fires a trigger with a notification to the receiver, which responds like this, with running workers. */
  const fire = async (response: ReceiverResponse) => {
    receiver.responses.push(response);
    const alarm = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 10' },
      notifications: [
        { type: 'url', destination: `${receiver.url}/${SECRET}?token=x`, text: 'Now $sensor_data_value °C' },
      ],
    });
    await upload(user, alarm.sensorId, { value: 1234.5 });
    await platform.startWorkers(['evaluation', 'deliveries']);
    await receiver.waitFor(1);
    return alarm;
  };

  it('fail with the cause when their delivery has failed for good, and show its owner and host, and no text of a user', async () => {
    const { sensorId } = await fire(410);
    const job = await oneOf('deliveries', 'failed');
    const [delivery] = await deliveries();
    assert.equal(job.failedReason, `delivery ${delivery.id}: the receiver is permanently gone`);
    assert.deepEqual([job.attempts, job.stacktrace.length], [1, 0]);
    const host = new URL(receiver.url).host;
    assert.equal(job.name, `url to ${host}, of ${user.username}`);
    const [shown] = job.data.deliveries;
    assert.deepEqual([shown.status, shown.sensorId, shown.host], ['failed', Number(sensorId), host]);
    assert.equal(shown.owner, user.username);
    const { sensor } = (await user.api.get(`/sensors/${sensorId}`)).body;
    const { trigger } = (await user.api.get(`/triggers/${shown.triggerId}`)).body;
    for (const hidden of [SECRET, '1234.5', 'Now $sensor', sensor.name, trigger.name])
      assert.ok(!JSON.stringify(job).includes(hidden), hidden);
    assert.deepEqual([job.priority, job.deduplicationId], [undefined, undefined]);
    assert.deepEqual(await jobsOf('deliveries', 'completed'), []);
    assert.deepEqual((await board(`queues/deliveries/${job.id}`)).body.job, job);
  });

  it('show only the domain of an email address', async () => {
    const fields = { type: 'email', destination: 'ada@mail.example', text: 'x'.repeat(200) };
    await user.api.post(`/notifications/${await buildNotification(user, fields)}/test?wait=0`);
    const job = await oneOf('deliveries', 'prioritized');
    assert.equal(job.name, `email to mail.example, of ${user.username}`);
    for (const hidden of ['ada', 'xxx']) assert.ok(!JSON.stringify(job).includes(hidden), hidden);
  });

  it('contain only ids in Redis', async () => {
    await fire(410);
    await oneOf('deliveries', 'failed');
    const { redis, config } = platform.container;
    const texts: string[] = [];
    for (const key of await redis.keys(`{${config.redisPrefix}}:*`)) {
      texts.push(key, String(await redis.dump(key)));
      if ((await redis.type(key)) === 'hash') texts.push(JSON.stringify(await redis.hgetall(key)));
    }
    const all = texts.join('\n');
    assert.match(all, /permanently gone/);
    for (const text of [SECRET, 'Now $sensor', new URL(receiver.url).host, '°C']) assert.ok(!all.includes(text), text);
  });

  it('send a failed delivery again, exactly once, when they are retried', async () => {
    await fire(410);
    const { id } = await oneOf('deliveries', 'failed');
    assert.equal((await put(`queues/deliveries/${id}/retry`)).status, 204);
    const [first, second] = await receiver.waitFor(2);
    assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id']);
    await oneOf('deliveries', 'completed');
    const [delivery] = await deliveries();
    assert.deepEqual([delivery.status, delivery.attempts.length], ['delivered', 2]);
    const again = await put(`queues/deliveries/${id}/retry`);
    assert.equal(again.status, 409);
    assert.match(again.body.message, /not failed/);
    await platform.settle();
    assert.equal(receiver.received.length, 2);
  });

  it('restart the schedule of attempts when they are retried', async () => {
    await fire(410);
    const { id } = await oneOf('deliveries', 'failed');
    receiver.responses.push(500);
    await put(`queues/deliveries/${id}/retry`);
    await receiver.waitFor(2);
    await until('the next attempt is scheduled', async () => (await deliveries())[0].next_attempt !== null);
    const [delivery] = await deliveries();
    const [, second] = delivery.attempts;
    assert.equal(delivery.status, 'pending');
    assert.ok(delivery.next_attempt - second.date < 25, 'as after a first attempt, not half a minute');
  });

  it('cannot be retried when no delivery can be sent again', async () => {
    const { notificationIds } = await fire(410);
    const { id } = await oneOf('deliveries', 'failed');
    await user.api.put(`/notifications/${notificationIds[0]}`, { notification: { enabled: false } });
    const refused = await put(`queues/deliveries/${id}/retry`);
    assert.equal(refused.status, 409);
    assert.match(refused.body.message, /switched off/);
    await platform.query("UPDATE deliveries SET status = 'delivered'");
    assert.equal((await put(`queues/deliveries/${id}/retry`)).status, 409);
    assert.equal((await oneOf('deliveries', 'failed')).id, id);
    assert.equal(receiver.received.length, 1);
  });

  it('can be retried together: each delivery is sent once, and one that cannot be sent fails again', async () => {
    const off = await fire(410);
    receiver.responses.push(410, 410);
    for (let index = 0; index < 2; index += 1) {
      const { sensorId } = await buildAlarm(user, {
        trigger: { expression: 'sensor_data_value > 10' },
        notifications: [{ type: 'url', destination: receiver.url }],
      });
      await upload(user, sensorId, { value: 11 });
    }
    await receiver.waitFor(3);
    await until('all have failed', async () => (await jobsOf('deliveries', 'failed')).length === 3);
    await user.api.put(`/notifications/${off.notificationIds[0]}`, { notification: { enabled: false } });
    const { body } = await put('queues/deliveries/retry/failed');
    assert.deepEqual([body.retried, body.skipped], [3, 0]);
    await receiver.waitFor(5);
    await until('two are delivered', async () => (await jobsOf('deliveries', 'completed')).length === 2);
    await oneOf('deliveries', 'failed');
    const statuses = (await deliveries()).map(({ status }: { status: string }) => status);
    assert.deepEqual(statuses.sort(), ['delivered', 'delivered', 'failed']);
    assert.equal(receiver.received.length, 5);
  });

  for (const [how, path] of [
    ['individually', (id: string) => `queues/deliveries/${id}/promote`],
    ['together', () => 'queues/deliveries/promote'],
  ] as const) {
    it(`make the next attempt immediately, and only once, when promoted ${how}`, async () => {
      // Without the board the next attempt would be made in ten minutes.
      await fire((response) => response.writeHead(503, { 'retry-after': '600' }).end());
      const { id } = await oneOf('deliveries', 'delayed');
      assert.ok((await put(path(id))).status < 300);
      await receiver.waitFor(2);
      await until('it is delivered', async () => (await deliveries())[0].status === 'delivered');
      await platform.settle();
      assert.equal((await deliveries())[0].attempts.length, 2);
      assert.equal(receiver.received.length, 2);
    });
  }

  it('can be removed without loss, because the reconciler enqueues due deliveries again', async () => {
    await platform.startWorkers(['schedule']);
    await fire(500);
    const { id } = await oneOf('deliveries', 'delayed');
    assert.equal((await put(`queues/deliveries/${id}/clean`)).status, 204);
    for (const queue of ['deliveries', 'evaluation']) {
      assert.equal((await put(`queues/${queue}/empty`)).status, 200);
    }
    await receiver.waitFor(2);
    await until('it is delivered', async () => (await deliveries())[0].status === 'delivered');
  });

  it('fail when one of several deliveries has failed, and name it', async () => {
    receiver.responses.push(200, 410);
    const ids: number[] = [];
    for (let index = 0; index < 2; index += 1) {
      const notificationId = await buildNotification(user, { destination: receiver.url, text: 'x' });
      ids.push(Number((await user.api.post(`/notifications/${notificationId}/test?wait=0`)).body.delivery.id));
    }
    const [deliveryId = 0, ...next] = ids;
    const outcome = await handleDelivery({ deliveryId, next }, platform.container);
    assert.deepEqual(outcome, { failed: `delivery ${ids[1]}: the receiver is permanently gone` });
    assert.deepEqual(await handleDelivery({ deliveryId, next }, platform.container), outcome);
    assert.equal(receiver.received.length, 2);
  });
});
