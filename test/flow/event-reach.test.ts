import assert from 'node:assert/strict';
import { buildAlarm } from '../support/alarm';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { type Receiver, startReceiver } from '../support/receiver';
import { subscribe } from '../support/subscribe';

describe('whom an event reaches', () => {
  let platform: Platform;
  let receiver: Receiver;
  let user: TestUser;

  before(async () => {
    [platform, receiver] = [await startPlatform(), await startReceiver()];
  });
  after(async () => {
    await receiver.close();
    await platform.close();
  });
  beforeEach(async () => {
    receiver.received.length = 0;
    user = await platform.user();
  });

  const share = ({ api }: TestUser, sensorId: string, { id }: TestUser) =>
    api.post(`/sensors/${sensorId}/users`, { user: { id } });
  const sensorOf = async ({ api }: TestUser): Promise<string> =>
    (await api.post('/sensors', { sensor: { name: 'door' } })).body.sensor.id;
  const triggerOf = async ({ api }: TestUser): Promise<string> =>
    (await api.post('/triggers', { trigger: { name: 'open', expression: 'sensor_data_value > 0' } })).body.trigger.id;
  const notificationOf = async ({ api }: TestUser): Promise<string> =>
    (await api.post('/notifications', { notification: { type: 'url', text: '', destination: receiver.url } })).body
      .notification.id;
  const alarmOf = (owner: TestUser, destination = receiver.url) =>
    buildAlarm(owner, {
      trigger: { expression: 'sensor_data_value > 0' },
      notifications: [{ type: 'url', text: 'alarm', destination }],
    });
  const told = () => receiver.received.map(({ form }) => form.event ?? 'a firing');

  it('tells an event that waits although its sensor is gone by then', async () => {
    for (const event of ['add_sensor', 'add_sensor_data', 'delete_sensor']) await subscribe(user, receiver.url, event);
    const id = await sensorOf(user);
    await user.api.post(`/sensors/${id}/data`, { value: 1 });
    await user.api.delete(`/sensors/${id}`);
    await platform.settle();
    assert.deepEqual(told(), ['add_sensor', 'add_sensor_data', 'delete_sensor']);
  });

  it('tells those who may see the sensor, and nobody else', async () => {
    const [friend, stranger] = [await platform.user(), await platform.user()];
    const id = await sensorOf(user);
    await share(user, id, friend);
    for (const someone of [user, friend, stranger]) await subscribe(someone, receiver.url, 'update_sensor');
    await user.api.put(`/sensors/${id}`, { sensor: { name: 'new' } });
    await platform.settle();
    assert.deepEqual(receiver.received.map(({ form }) => form.user_id).sort(), [user.id, friend.id].sort());
  });

  it('tells a reader that the sensor was deleted, although he cannot see it any more', async () => {
    const friend = await platform.user();
    const id = await sensorOf(user);
    await share(user, id, friend);
    await subscribe(friend, receiver.url, 'delete_sensor');
    await user.api.delete(`/sensors/${id}`);
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => form.subject_id),
      [id],
    );
  });

  it("tells a reader that a sensor went with its owner's account", async () => {
    const friend = await platform.user();
    const [shared, lost] = [await sensorOf(user), await sensorOf(friend)];
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

  it("keeps one user's triggers and notifications from all others", async () => {
    const stranger = await platform.user();
    for (const event of ['add_trigger', 'add_notification']) await subscribe(stranger, receiver.url, event);
    await triggerOf(user);
    await notificationOf(user);
    await platform.settle();
    assert.deepEqual(told(), []);
  });

  it('tells only of the source that an event notification names', async () => {
    const [one, other] = [await sensorOf(user), await sensorOf(user)];
    await subscribe(user, receiver.url, 'update_sensor', { source_id: other });
    for (const id of [one, other]) await user.api.put(`/sensors/${id}`, { sensor: { name: 'new' } });
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => form.source_id),
      [other],
    );
  });

  it('sends the higher priority first, then the older one', async () => {
    for (const [priority, text] of [
      [-1, 'last'],
      [0, 'second'],
      [7, 'first'],
      [0, 'third'],
    ] as const) {
      await subscribe(user, receiver.url, 'add_sensor', { priority, text });
    }
    await sensorOf(user);
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => form.text),
      ['first', 'second', 'third', 'last'],
    );
  });

  it('rings for the higher priority first', async () => {
    for (const priority of [1, 3, 2]) await subscribe(user, receiver.url, 'add_sensor', { priority });
    await sensorOf(user);
    await platform.container.eventDispatcher.dispatchWaiting();
    const jobs = await platform.container.queues.deliveries.getPrioritized();
    const { deliveries } = (await user.api.get('/deliveries')).body;
    const priorityOf = new Map(deliveries.map((row: { id: string; priority: number }) => [row.id, row.priority]));
    const rung = jobs
      .flatMap(({ data }) => [data.deliveryId, ...(data.next ?? [])])
      .map((id) => priorityOf.get(String(id)))
      .filter((one) => one !== undefined);
    assert.deepEqual(rung, [3, 2, 1]);
    await platform.settle();
  });

  it('tells nothing while an event notification is disabled, and tells again once it is enabled', async () => {
    const { id } = await subscribe(user, receiver.url, 'add_sensor');
    const enable = (enabled: boolean) =>
      user.api.put(`/events/notifications/${id}`, { event_notification: { enabled } });
    await enable(false);
    await sensorOf(user);
    await platform.settle();
    assert.deepEqual(told(), []);
    await enable(true);
    await sensorOf(user);
    await platform.settle();
    assert.deepEqual(told(), ['add_sensor']);
  });

  it('leaves the text out when there is none', async () => {
    await subscribe(user, receiver.url, 'add_sensor');
    await sensorOf(user);
    await platform.settle();
    assert.deepEqual(Object.keys(receiver.received[0]?.form ?? {}), ['event', 'subject_id', 'source_id', 'user_id']);
  });

  it('puts what is known of the event into its text', async () => {
    const text = '$event subject_id {source_id} {{user_id}} sensor_name';
    const sensorId = await sensorOf(user);
    await subscribe(user, receiver.url, 'add_sensor_trigger', { text });
    await subscribe(user, receiver.url, 'add_trigger', { text });
    const triggerId = await triggerOf(user);
    await user.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: triggerId } });
    await platform.settle();
    assert.deepEqual(receiver.received.map(({ form }) => form.text).sort(), [
      `add_sensor_trigger ${triggerId} ${sensorId} ${user.id} sensor_name`,
      `add_trigger ${triggerId}  ${user.id} sensor_name`,
    ]);
  });

  it('raises nothing when a trigger is connected again', async () => {
    const { sensorId, triggerId } = await alarmOf(user);
    await subscribe(user, receiver.url, 'add_sensor_trigger');
    await user.api.post(`/sensors/${sensorId}/triggers`, { triggers: [{ trigger: { id: triggerId } }] });
    await platform.settle();
    assert.deepEqual(told(), []);
  });

  it('raises nothing when a change is refused', async () => {
    const stranger = await platform.user();
    await subscribe(user, receiver.url, 'delete_sensor');
    await subscribe(user, receiver.url, 'update_sensor');
    const id = await sensorOf(user);
    assert.equal((await stranger.api.delete(`/sensors/${id}`)).status, 404);
    assert.equal((await user.api.put(`/sensors/${id}`, { sensor: { use_data_storage: 'maybe' } })).status, 400);
    await platform.settle();
    assert.deepEqual(told(), []);
  });

  it('writes no row for what nobody listens to', async () => {
    await sensorOf(user);
    const rows = await platform.query('SELECT * FROM events');
    assert.deepEqual(rows, []);
  });

  it('does not tell of its own failures for ever', async () => {
    await subscribe(user, 'http://10.0.0.1/', 'delivery_failed');
    const { sensorId } = await alarmOf(user, 'http://10.0.0.2/');
    await user.api.post(`/sensors/${sensorId}/data`, { value: 1 });
    await platform.settle();
    const { deliveries } = (await user.api.get('/deliveries?status=failed')).body;
    assert.deepEqual(deliveries.map(({ event }: { event: string }) => event).sort(), ['', 'delivery_failed']);
  });
});
