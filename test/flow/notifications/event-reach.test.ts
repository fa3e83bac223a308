import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildNotification, buildSensor, buildTrigger, connectTrigger, share, upload } from '../../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';
import { subscribe } from '../../support/subscribe';

describe('an event', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const alarmOf = (owner: TestUser, destination = receiver.url) =>
    buildAlarm(owner, {
      trigger: { expression: 'sensor_data_value > 0' },
      notifications: [{ type: 'url', text: 'alarm', destination }],
    });
  const received = () => receiver.received.map(({ form }) => form.event ?? 'a firing');

  it('is published although its sensor was deleted while it waited', async () => {
    for (const event of ['add_sensor', 'add_sensor_data', 'delete_sensor']) await subscribe(user, receiver.url, event);
    const id = await buildSensor(user);
    await upload(user, id, { value: 1 });
    await user.api.delete(`/sensors/${id}`);
    await platform.settle();
    assert.deepEqual(received(), ['add_sensor', 'add_sensor_data', 'delete_sensor']);
  });

  it('reaches the users to whom the sensor is visible, and nobody else', async () => {
    const [friend, stranger] = [await platform.user(), await platform.user()];
    const id = await buildSensor(user);
    await share(user, id, friend);
    for (const one of [user, friend, stranger]) await subscribe(one, receiver.url, 'update_sensor');
    await user.api.put(`/sensors/${id}`, { sensor: { name: 'new' } });
    await platform.settle();
    assert.deepEqual(receiver.received.map(({ form }) => form.user_id).sort(), [user.id, friend.id].sort());
  });

  it('reaches a reader when the sensor was deleted', async () => {
    const friend = await platform.user();
    const id = await buildSensor(user);
    await share(user, id, friend);
    await subscribe(friend, receiver.url, 'delete_sensor');
    await user.api.delete(`/sensors/${id}`);
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => form.subject_id),
      [id],
    );
  });

  it("reaches a reader when the sensor was deleted with its owner's account", async () => {
    const friend = await platform.user();
    const [shared, lost] = [await buildSensor(user), await buildSensor(friend)];
    await share(user, shared, friend);
    await share(friend, lost, user);
    for (const event of ['delete_sensor', 'remove_sensor_user']) await subscribe(friend, receiver.url, event);
    assert.equal((await user.api.delete(`/users/${user.id}`)).status, 200);
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => [form.event, form.subject_id, form.source_id]),
      [
        ['delete_sensor', shared, shared],
        ['remove_sensor_user', user.id, lost],
      ],
    );
  });

  it("about a user's triggers and notifications reaches nobody else", async () => {
    const stranger = await platform.user();
    for (const event of ['add_trigger', 'add_notification']) await subscribe(stranger, receiver.url, event);
    await buildTrigger(user);
    await buildNotification(user);
    await platform.settle();
    assert.deepEqual(received(), []);
  });

  it('is published only for the source that the event notification names', async () => {
    const [one, other] = [await buildSensor(user), await buildSensor(user)];
    await subscribe(user, receiver.url, 'update_sensor', { source_id: other });
    for (const id of [one, other]) await user.api.put(`/sensors/${id}`, { sensor: { name: 'new' } });
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => form.source_id),
      [other],
    );
  });

  it('is sent in order of priority, then in order of age', async () => {
    for (const [priority, text] of [
      [-1, 'last'],
      [0, 'second'],
      [7, 'first'],
      [0, 'third'],
    ] as const) {
      await subscribe(user, receiver.url, 'add_sensor', { priority, text });
    }
    await buildSensor(user);
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => form.text),
      ['first', 'second', 'third', 'last'],
    );
  });

  it('enqueues its deliveries in order of priority', async () => {
    for (const priority of [1, 3, 2]) await subscribe(user, receiver.url, 'add_sensor', { priority });
    await buildSensor(user);
    await platform.container.eventDispatcher.dispatchWaiting();
    const jobs = await platform.container.queues.deliveries.getPrioritized();
    const { deliveries } = (await user.api.get('/deliveries')).body;
    const priorityOf = new Map(deliveries.map((row: { id: string; priority: number }) => [row.id, row.priority]));
    const enqueued = jobs
      .flatMap(({ data }) => [data.deliveryId, ...(data.next ?? [])])
      .map((id) => priorityOf.get(String(id)))
      .filter((one) => one !== undefined);
    assert.deepEqual(enqueued, [3, 2, 1]);
    await platform.settle();
  });

  it('is not published while its event notification is disabled', async () => {
    const { id } = await subscribe(user, receiver.url, 'add_sensor');
    const enable = (enabled: boolean) =>
      user.api.put(`/events/notifications/${id}`, { event_notification: { enabled } });
    await enable(false);
    await buildSensor(user);
    await platform.settle();
    assert.deepEqual(received(), []);
    await enable(true);
    await buildSensor(user);
    await platform.settle();
    assert.deepEqual(received(), ['add_sensor']);
  });

  it('is sent without a text when there is none', async () => {
    await subscribe(user, receiver.url, 'add_sensor');
    await buildSensor(user);
    await platform.settle();
    assert.deepEqual(Object.keys(receiver.received[0]?.form ?? {}), ['event', 'subject_id', 'source_id', 'user_id']);
  });

  it('is inserted into the text of the notification', async () => {
    const text = '$event subject_id {source_id} {{user_id}} sensor_name';
    const sensorId = await buildSensor(user);
    await subscribe(user, receiver.url, 'add_sensor_trigger', { text });
    await subscribe(user, receiver.url, 'add_trigger', { text });
    const triggerId = await buildTrigger(user);
    await connectTrigger(user, sensorId, triggerId);
    await platform.settle();
    assert.deepEqual(receiver.received.map(({ form }) => form.text).sort(), [
      `add_sensor_trigger ${triggerId} ${sensorId} ${user.id} sensor_name`,
      `add_trigger ${triggerId}  ${user.id} sensor_name`,
    ]);
  });

  it('is not raised when a trigger is connected again', async () => {
    const { sensorId, triggerId } = await alarmOf(user);
    await subscribe(user, receiver.url, 'add_sensor_trigger');
    await connectTrigger(user, sensorId, triggerId);
    await platform.settle();
    assert.deepEqual(received(), []);
  });

  it('is not raised when a change is refused', async () => {
    const stranger = await platform.user();
    await subscribe(user, receiver.url, 'delete_sensor');
    await subscribe(user, receiver.url, 'update_sensor');
    const id = await buildSensor(user);
    assert.equal((await stranger.api.delete(`/sensors/${id}`)).status, 404);
    assert.equal((await user.api.put(`/sensors/${id}`, { sensor: { use_data_storage: 'maybe' } })).status, 400);
    await platform.settle();
    assert.deepEqual(received(), []);
  });

  it('is not stored when nobody subscribes to it', async () => {
    await buildSensor(user);
    const rows = await platform.query('SELECT * FROM events');
    assert.deepEqual(rows, []);
  });

  it('about a failed delivery is not published endlessly when that fails, too', async () => {
    await subscribe(user, 'http://10.0.0.1/', 'delivery_failed');
    const { sensorId } = await alarmOf(user, 'http://10.0.0.2/');
    await upload(user, sensorId, { value: 1 });
    await platform.settle();
    const { deliveries } = (await user.api.get('/deliveries?status=failed')).body;
    assert.deepEqual(deliveries.map(({ event }: { event: string }) => event).sort(), ['', 'delivery_failed']);
  });
});
