import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildNotification, buildSensor, create, share, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';

describe('deliveries', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const notify = (text = 'hello', destination = receiver.url) => buildNotification(user, { destination, text });
  const ids = (body: { deliveries: { id: string }[] }) => body.deliveries.map(({ id }) => id);

  it('of a test carry the text of the notification and are delivered like any other', async () => {
    const notificationId = await notify('it works');
    const response = await user.api.post(`/notifications/${notificationId}/test?wait=0`);
    assert.equal(response.status, 201);
    const { id } = response.body.delivery;
    assert.deepEqual(response.body.delivery, {
      id,
      notification_id: notificationId,
      type: 'url',
      destination: receiver.url,
      status: 'pending',
      priority: 0,
      resolved: false,
      acknowledged: false,
      sensor_id: null,
      sensor_name: null,
      trigger_id: null,
      trigger_name: null,
      trigger_version: null,
      event: '',
      event_description: '',
      subject_id: null,
      subject_name: null,
      source_id: null,
      source_name: null,
      text: 'it works',
      created: clock.now() / 1000,
      next_attempt: clock.now() / 1000,
      digest_id: null,
      waiting: null,
      is_digest: false,
      digest_size: 0,
      probe: false,
      timing: { received: null, stored: null, evaluated: null, queued: clock.now() / 1000, sent: null, answered: null },
      attempts: [],
    });
    await platform.settle();
    assert.equal(receiver.received[0]?.form.text, 'it works');
    const { delivery } = (await user.api.get(`/deliveries/${id}`)).body;
    assert.deepEqual([delivery.status, delivery.next_attempt], ['delivered', null]);
    const [attempt] = delivery.attempts;
    assert.deepEqual([attempt.date, attempt.status_code, attempt.error], [clock.now() / 1000, 200, '']);
    assert.equal(typeof attempt.duration_ms, 'number');
  });

  it('of a firing name the sensor and the trigger', async () => {
    const { sensorId, triggerId, notificationIds } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 30' },
      notifications: [{ type: 'url', destination: receiver.url, text: '$sensor_data_value' }],
    });
    await upload(user, sensorId, { value: 31, date: clock.now() / 1000 });
    await platform.settle();
    const { deliveries } = (await user.api.get('/deliveries')).body;
    assert.equal(deliveries.length, 1);
    const { sensor_id, trigger_id, notification_id, text, status } = deliveries[0];
    assert.deepEqual(
      [sensor_id, trigger_id, notification_id, text, status],
      [sensorId, triggerId, notificationIds[0], '31', 'delivered'],
    );
  });

  it('of an event name its subject and its source, as far as the user may see them now', async () => {
    const friend = await platform.user({ username: 'grace' });
    const sensorId = await buildSensor(user, { name: 'greenhouse' });
    const notificationId = await notify();
    for (const event of ['add_sensor_user', 'delete_sensor']) {
      await create(user, '/events/notifications', { event_notification: { event, notification_id: notificationId } });
    }
    const theirs = await buildNotification(friend, { destination: receiver.url, text: '' });
    const interest = { event: 'add_sensor_user', notification_id: theirs };
    await create(friend, '/events/notifications', { event_notification: interest });
    await share(user, sensorId, friend);
    await platform.settle();
    const seenBy = async ({ api }: typeof user) => {
      const { deliveries } = (await api.get('/deliveries')).body;
      return deliveries.map((one: Record<string, string | null>) => [
        one.event_description,
        one.subject_name,
        one.source_name,
      ]);
    };
    const shared = 'A sensor was shared with a user';
    assert.deepEqual(await seenBy(user), [[shared, 'grace', 'greenhouse']]);
    assert.deepEqual(await seenBy(friend), [[shared, 'grace', 'greenhouse']]);
    await user.api.delete(`/sensors/${sensorId}/users/${friend.id}`);
    assert.deepEqual(await seenBy(friend), [[shared, 'grace', null]]);
    assert.deepEqual(await seenBy(user), [[shared, null, 'greenhouse']]);
    await user.api.delete(`/sensors/${sensorId}`);
    await platform.settle();
    assert.deepEqual(await seenBy(user), [
      [shared, null, null],
      ['A sensor was deleted', null, null],
    ]);
  });

  it('are invisible to other users', async () => {
    const notificationId = await notify();
    const { id } = (await user.api.post(`/notifications/${notificationId}/test?wait=0`)).body.delivery;
    const stranger = await platform.user();
    assert.equal((await stranger.api.get(`/deliveries/${id}`)).status, 404);
    assert.equal((await stranger.api.post(`/deliveries/${id}/redeliver`)).status, 404);
    assert.deepEqual((await stranger.api.get(`/deliveries?notification_id=${notificationId}`)).body, {
      deliveries: [],
    });
    assert.equal((await platform.anonymous.get('/deliveries')).status, 401);
    await platform.settle();
  });

  it('are redelivered under the same id to the current destination, with every attempt kept', async () => {
    const notificationId = await notify('again', `${receiver.url}/old`);
    const { id } = (await user.api.post(`/notifications/${notificationId}/test?wait=0`)).body.delivery;
    receiver.responses.push(410);
    await platform.settle();
    assert.equal((await user.api.get(`/deliveries/${id}`)).body.delivery.status, 'failed');
    await user.api.put(`/notifications/${notificationId}`, { notification: { destination: `${receiver.url}/new` } });
    const response = await user.api.post(`/deliveries/${id}/redeliver`);
    assert.equal(response.status, 200);
    const { status, destination, next_attempt } = response.body.delivery;
    assert.deepEqual([status, destination, next_attempt], ['pending', `${receiver.url}/new`, clock.now() / 1000]);
    await platform.settle();
    const { delivery } = (await user.api.get(`/deliveries/${id}`)).body;
    assert.equal(delivery.status, 'delivered');
    assert.deepEqual(
      delivery.attempts.map((attempt: { status_code: number }) => attempt.status_code),
      [410, 200],
    );
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ['/old', '/new'],
    );
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
  });

  it('restart the schedule of attempts when they are redelivered', async () => {
    const { id } = (await user.api.post(`/notifications/${await notify()}/test?wait=0`)).body.delivery;
    receiver.responses.push(500, 500, 410);
    for (const pause of [0, 10_000, 60_000]) {
      clock.advance(pause);
      await platform.settle();
    }
    assert.equal((await user.api.get(`/deliveries/${id}`)).body.delivery.status, 'failed');
    receiver.responses.push(500);
    await user.api.post(`/deliveries/${id}/redeliver`);
    await platform.settle();
    const { delivery } = (await user.api.get(`/deliveries/${id}`)).body;
    assert.deepEqual([delivery.status, delivery.attempts.length], ['pending', 4]);
    assert.ok(delivery.next_attempt - clock.now() / 1000 < 10, 'the first pause lasts seconds');
  });

  describe('of a notification that failed', () => {
    const fail = async (notificationId: string, count: number) => {
      const made: string[] = [];
      for (let index = 0; index < count; index += 1) {
        made.push((await user.api.post(`/notifications/${notificationId}/test?wait=0`)).body.delivery.id);
        receiver.responses.push(410);
      }
      await platform.settle();
      return made;
    };
    const webhookIds = () => receiver.received.map(({ headers }) => String(headers['webhook-id']));

    it('are redelivered together, each under its id, to the current destination', async () => {
      const [notificationId, other] = [await notify('again', `${receiver.url}/old`), await notify('other')];
      const made = await fail(notificationId, 5);
      await fail(other, 2);
      const before = webhookIds().slice(0, 5);
      receiver.received.length = 0;
      await user.api.put(`/notifications/${notificationId}`, { notification: { destination: `${receiver.url}/new` } });
      const response = await user.api.post(`/notifications/${notificationId}/redeliver`);
      assert.deepEqual([response.status, response.body], [200, { redelivered: 5 }]);
      assert.deepEqual((await user.api.post(`/notifications/${notificationId}/redeliver`)).body, { redelivered: 0 });
      await platform.settle();
      assert.deepEqual(webhookIds(), before);
      assert.ok(receiver.received.every(({ path }) => path === '/new'));
      const { deliveries } = (await user.api.get(`/deliveries?notification_id=${notificationId}`)).body;
      assert.deepEqual(ids({ deliveries }), made);
      assert.ok(deliveries.every(({ status }: { status: string }) => status === 'delivered'));
      assert.equal(
        (await user.api.get(`/deliveries?notification_id=${other}&status=failed`)).body.deliveries.length,
        2,
      );
    });

    it('are redelivered once when several requests arrive at the same time', async () => {
      const notificationId = await notify();
      await fail(notificationId, 8);
      receiver.received.length = 0;
      const path = `/notifications/${notificationId}/redeliver`;
      const responses = await Promise.all([user.api.post(path), user.api.post(path), user.api.post(path)]);
      assert.equal(
        responses.reduce((sum, { body }) => sum + body.redelivered, 0),
        8,
      );
      await platform.settle();
      assert.equal(receiver.received.length, 8);
    });

    it('are not redelivered while the notification is switched off, or by another user', async () => {
      const notificationId = await notify();
      await fail(notificationId, 1);
      const path = `/notifications/${notificationId}/redeliver`;
      const stranger = await platform.user();
      assert.equal((await stranger.api.post(path)).status, 404);
      assert.equal((await platform.anonymous.post(path)).status, 401);
      await user.api.put(`/notifications/${notificationId}`, { notification: { enabled: false } });
      assert.equal((await user.api.post(path)).status, 409);
      assert.equal((await user.api.post('/notifications/x/redeliver')).status, 404);
    });

    it('are redelivered in bounded numbers', async () => {
      const notificationId = await notify();
      const row = (index: number) => [
        `${notificationId}-${index}`,
        user.id,
        notificationId,
        'test',
        'url',
        'x',
        '',
        'failed',
        clock.now(),
      ];
      await platform.query(
        'INSERT INTO deliveries (webhook_id, owner_id, notification_id, kind, type, destination, text, status, created_ms) VALUES ?',
        [Array.from({ length: 10_500 }, (_, index) => row(index))],
      );
      const path = `/notifications/${notificationId}/redeliver`;
      assert.deepEqual((await user.api.post(path)).body, { redelivered: 10_000 });
      assert.deepEqual((await user.api.post(path)).body, { redelivered: 500 });
      await platform.query('DELETE FROM deliveries WHERE notification_id = ?', [notificationId]);
    });
  });
});
