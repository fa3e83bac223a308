import assert from 'node:assert/strict';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  upload,
} from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

describe('notifications of a whole trigger', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUser(platform);
  const other = useUser(platform);
  let triggerId: string;
  let notificationId: string;

  beforeEach(async () => {
    receiver.received.length = 0;
    clock.advance(120_000);
    triggerId = await buildTrigger(user, { notify_resolved: true });
    notificationId = await buildNotification(user, { destination: receiver.url, text: '$sensor_name' });
  });

  const path = () => `/triggers/${triggerId}/notifications`;
  const connect = (body: object = { notification: { id: notificationId } }, by = user) => by.api.post(path(), body);
  const place = async (name: string) => {
    const sensorId = await buildSensor(user, { name });
    await connectTrigger(user, sensorId, triggerId);
    return sensorId;
  };
  const fire = async (...sensorIds: string[]) => {
    for (const id of sensorIds) await upload(user, id, { value: 31, date: clock.now() / 1000 });
    await platform.settle();
  };
  const texts = () => receiver.received.map(({ form }) => form.text).sort();
  const idsOf = ({ body }: { body: { notifications: { id: string }[] } }) => body.notifications.map(({ id }) => id);

  it('are sent for sensors that were connected before and for those that join later', async () => {
    const before = await place('before');
    const connected = await connect();
    assert.deepEqual([connected.status, idsOf(connected)], [201, [notificationId]]);
    await fire(before, await place('later'));
    assert.deepEqual(texts(), ['before', 'later']);
  });

  it('are sent once if they are also connected on the sensor, and report the end', async () => {
    const sensorId = await place('store');
    await connectNotification(user, sensorId, triggerId, notificationId);
    await connect();
    await fire(sensorId);
    clock.advance(1_000);
    await upload(user, sensorId, { value: 1, date: clock.now() / 1000 });
    await platform.settle();
    assert.deepEqual(texts(), ['a trigger on store: resolved', 'store']);
    assert.equal((await user.api.delete(`${path()}/${notificationId}`)).status, 200);
    clock.advance(120_000);
    await fire(sensorId);
    assert.equal(receiver.received.length, 3);
  });

  it('are listed, and no longer sent once they are disconnected', async () => {
    const sensorId = await place('store');
    await connect();
    assert.deepEqual(idsOf(await connect()), [notificationId]);
    const listed = await user.api.get(`${path()}?total=1`);
    assert.deepEqual([idsOf(listed), listed.body.total], [[notificationId], 1]);
    assert.equal((await user.api.delete(`${path()}/${notificationId}`)).status, 200);
    assert.equal((await user.api.delete(`${path()}/${notificationId}`)).status, 404);
    await fire(sensorId);
    assert.deepEqual(receiver.received, []);
  });

  it('are the user’s own, on own triggers, and at most 20', async () => {
    const foreign = await buildNotification(other);
    assert.equal((await connect({ notification: { id: foreign } })).status, 404);
    assert.equal((await connect({ notification: { id: foreign } }, other)).status, 404);
    for (const { status } of [await other.api.get(path()), await other.api.delete(`${path()}/${notificationId}`)])
      assert.equal(status, 404);
    const ids = await Promise.all(Array.from({ length: 20 }, () => buildNotification(user)));
    const listOf = (some: string[]) => ({ notifications: some.map((id) => ({ notification: { id } })) });
    assert.equal((await connect(listOf(ids))).status, 201);
    const refused = await connect();
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
    assert.match(refused.body.error, /at most 20 notifications/);
    assert.equal((await connect({})).status, 400);
  });

  it('deactivate the trigger on all its sensors when they are deleted', async () => {
    const sensorId = await place('store');
    await connect();
    assert.equal((await user.api.delete(`/notifications/${notificationId}`)).status, 200);
    const { trigger } = (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body;
    assert.equal(trigger.active, false);
    assert.deepEqual(idsOf(await user.api.get(path())), []);
  });

  it('are tested with the latest value of a sensor of the trigger', async () => {
    const sensorId = await place('store');
    await connect();
    await upload(user, sensorId, { value: 12.5, date: clock.now() / 1000 });
    await platform.settle();
    assert.equal((await user.api.post(`/notifications/${notificationId}/test?wait=0`, {})).status, 201);
    await platform.settle();
    assert.deepEqual(texts(), ['store']);
  });
});
