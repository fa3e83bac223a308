import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildNotification, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { sentDuring } from '../../support/sent-statements';

describe('the last delivery of a notification', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const notify = () => buildNotification(user, { destination: receiver.url, text: 'hello' });
  const test = async (id: string) =>
    (await user.api.post(`/notifications/${id}/test?wait=0`)).body.delivery.id as string;
  const lastOf = async (id: string) => (await user.api.get(`/notifications/${id}`)).body.notification.last_delivery;
  const now = () => clock.now() / 1000;

  it('is shown while it waits, when it arrived, and with the reason when it failed', async () => {
    const id = await notify();
    assert.equal(await lastOf(id), null);
    const first = await test(id);
    const waiting = { id: first, status: 'pending', created: now(), next_attempt: now(), date: null };
    assert.deepEqual(await lastOf(id), { ...waiting, status_code: null, error: '' });
    await platform.settle();
    const delivered = { id: first, status: 'delivered', created: now(), next_attempt: null, date: now() };
    assert.deepEqual(await lastOf(id), { ...delivered, status_code: 200, error: '' });
    clock.advance(1_000);
    receiver.responses.push(410);
    const second = await test(id);
    await platform.settle();
    const failed = { id: second, status: 'failed', created: now(), next_attempt: null, date: now() };
    assert.deepEqual(await lastOf(id), { ...failed, status_code: 410, error: 'the receiver is permanently gone' });
  });

  it('shows the latest of its attempts, and when it is tried again', async () => {
    const id = await notify();
    receiver.responses.push(500);
    await test(id);
    await platform.settle();
    const { status, error, next_attempt } = await lastOf(id);
    assert.deepEqual([status, error], ['pending', 'the receiver answered 500']);
    assert.ok(next_attempt > now());
    receiver.responses.push(503);
    clock.advance((next_attempt - now()) * 1000);
    await platform.settle();
    assert.equal((await lastOf(id)).error, 'the receiver answered 503');
    clock.advance(3_600_000);
    await platform.settle();
    assert.equal((await lastOf(id)).status, 'delivered');
  });

  it('is not the notice that the notification was switched off', async () => {
    const id = await notify();
    for (const pauseMs of [0, 5 * 86_400_000]) {
      clock.advance(pauseMs);
      receiver.responses.push(410);
      await test(id);
      await platform.settle();
    }
    const { notification } = (await user.api.get(`/notifications/${id}`)).body;
    assert.equal(notification.disabled_reason, 'failing');
    const { deliveries } = (await user.api.get(`/deliveries?notification_id=${id}`)).body;
    assert.deepEqual([deliveries.length, deliveries[2].type, deliveries[2].status], [3, 'email', 'delivered']);
    assert.equal(notification.last_delivery.id, deliveries[1].id);
  });

  it('is in all lists of notifications, each with its own, and hidden from other users', async () => {
    const { sensorId, triggerId, notificationIds } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 30' },
      notifications: [{ type: 'url', destination: receiver.url, text: 'hot' }],
    });
    const [fired, tested, unused] = [String(notificationIds[0]), await notify(), await notify()];
    await upload(user, sensorId, { value: 31, date: now() });
    await platform.settle();
    const id = await test(tested);
    const list = async (path: string) =>
      (await user.api.get(path)).body.notifications.map((one: { id: string; last_delivery: { id: string } | null }) => [
        one.id,
        one.last_delivery?.id,
      ]);
    const alarmed = [fired, (await lastOf(fired)).id];
    assert.deepEqual(await list('/notifications'), [alarmed, [tested, id], [unused, undefined]]);
    assert.deepEqual(await list('/sensors/triggers/notifications'), [alarmed]);
    assert.deepEqual(await list(`/sensors/${sensorId}/triggers/${triggerId}/notifications`), [alarmed]);
    const stranger = await platform.user();
    assert.equal((await stranger.api.get(`/notifications/${tested}`)).status, 404);
    assert.deepEqual((await stranger.api.get('/notifications')).body.notifications, []);
  });

  it('takes one statement for a page, which reads as many rows whether there are few deliveries or many', async () => {
    const ids = [await notify(), await notify(), await notify()];
    const fill = (count: number) =>
      platform.query(
        `INSERT INTO deliveries (webhook_id, owner_id, notification_id, kind, type, destination, text, status, created_ms) VALUES ?`,
        [
          ids.flatMap((id) =>
            Array.from({ length: count }, (_, at) => [
              `${id}-${count}-${at}`,
              user.id,
              id,
              'test',
              'url',
              'x',
              '',
              'delivered',
              clock.now(),
            ]),
          ),
        ],
      );
    const statements = async () => {
      const sent = await sentDuring(() => user.api.get('/notifications'));
      return sent.filter((sql) => /\bdelivery_attempts\b/.test(sql));
    };
    await fill(1);
    assert.equal((await statements()).length, 1);
    await fill(3_000);
    const [sql, ...others] = await statements();
    assert.deepEqual(others, []);
    await platform.query('ANALYZE TABLE deliveries, delivery_attempts, notifications');
    const plan = (await platform.query(`EXPLAIN ${sql}`)) as { table: string | null; type: string; Extra: string }[];
    assert.ok(
      plan.every(({ type, Extra }) => type !== 'ALL' && type !== 'index' && !/filesort|temporary/.test(Extra ?? '')),
      JSON.stringify(plan),
    );
    await platform.query('DELETE FROM deliveries WHERE owner_id = ?', [user.id]);
  });
});
