import assert from 'node:assert/strict';
import { buildNotification, buildSensor, buildTrigger, connectTrigger } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';

describe('the number of notifications', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  let notificationId: string;

  beforeEach(async () => {
    notificationId = await buildNotification(user);
  });

  const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status).sort();

  describe('of events', () => {
    const connect = (event: string) =>
      user.api.post('/events/notifications', { event_notification: { event, notification_id: notificationId } });
    /** Inserts rows as they existed before there was a limit. */
    const insert = (count: number, event: string) =>
      platform.query('INSERT INTO event_notifications (owner_id, event, notification_id, created_ms) VALUES ?', [
        Array.from({ length: count }, () => [user.id, event, notificationId, 1]),
      ]);
    const total = async (event = '') =>
      (await user.api.get(`/events/notifications?total=1&per_page=1${event && `&event=${event}`}`)).body.total;

    it('is limited to 100 per event, also if several are created at once, and the error names the limit', async () => {
      await insert(97, 'add_sensor');
      const responses = await Promise.all(Array.from({ length: 6 }, () => connect('add_sensor')));
      assert.deepEqual(statusesOf(responses), [201, 201, 201, 409, 409, 409]);
      const refused = responses.find(({ status }) => status === 409);
      assert.equal(refused?.body.code, 'conflict');
      assert.match(refused?.body.error, /at most 100 event notifications of one event: delete others of add_sensor/);
      assert.equal(await total('add_sensor'), 100);
      assert.equal((await connect('update_sensor')).status, 201);
    });

    it('cannot exceed 100 per event by changing one of another event', async () => {
      await insert(100, 'add_sensor');
      const { id } = (await connect('update_sensor')).body.event_notification;
      const change = (fields: object) => user.api.put(`/events/notifications/${id}`, { event_notification: fields });
      assert.equal((await change({ event: 'add_sensor', enabled: true })).status, 409);
      assert.equal((await user.api.get(`/events/notifications/${id}`)).body.event_notification.event, 'update_sensor');
      assert.equal((await change({ event: 'update_sensor', enabled: false })).status, 200);
    });

    it('is limited to 1,000 per user, but older ones beyond that are kept and can be changed', async () => {
      const names = ['add_sensor', 'update_sensor', 'delete_sensor', 'add_trigger', 'update_trigger', 'delete_trigger'];
      for (const name of names) await insert(200, name);
      const refused = await connect('add_notification');
      assert.deepEqual([refused.status, await total()], [409, 1_200]);
      assert.match(refused.body.error, /at most 1000 event notifications: delete others/);
      const { event_notifications: rows } = (await user.api.get('/events/notifications?event=add_sensor')).body;
      const change = { event_notification: { event: 'add_sensor', priority: 5 } };
      assert.equal((await user.api.put(`/events/notifications/${rows[0].id}`, change)).status, 200);
      await platform.query('DELETE FROM event_notifications WHERE owner_id = ? LIMIT 201', [user.id]);
      assert.deepEqual([(await connect('add_notification')).status, await total()], [201, 1_000]);
    });
  });

  describe('of a trigger on a sensor', () => {
    let path: string;

    beforeEach(async () => {
      const [sensorId, triggerId] = [await buildSensor(user), await buildTrigger(user)];
      await connectTrigger(user, sensorId, triggerId);
      path = `/sensors/${sensorId}/triggers/${triggerId}/notifications`;
    });

    const connect = (ids: string[]) =>
      user.api.post(path, { notifications: ids.map((id) => ({ notification: { id } })) });
    const connected = async (): Promise<string[]> =>
      (await user.api.get(`${path}?per_page=1000`)).body.notifications.map(({ id }: { id: string }) => id);
    const build = (count: number) => Promise.all(Array.from({ length: count }, () => buildNotification(user)));

    it('is limited to 20, also if several are connected at once; a list is connected completely or not at all', async () => {
      const ids = await build(23);
      const refused = await connect(ids);
      assert.deepEqual([refused.status, refused.body.code, await connected()], [409, 'conflict', []]);
      assert.match(refused.body.error, /at most 20 notifications: disconnect others first/);
      assert.equal((await connect(ids.slice(0, 18))).status, 201);
      const atOnce = await Promise.all(ids.slice(18).map((id) => connect([id])));
      assert.deepEqual(statusesOf(atOnce), [201, 201, 409, 409, 409]);
      assert.equal((await connected()).length, 20);
    });

    it('may be more than 20 if they are older than the limit, and these may be connected again', async () => {
      const ids = await build(25);
      const [pair] = await platform.query('SELECT MAX(id) AS id FROM sensor_triggers');
      await platform.query('INSERT INTO sensor_trigger_notifications (sensor_trigger_id, notification_id) VALUES ?', [
        ids.map((id) => [pair?.id, id]),
      ]);
      assert.equal((await connect([...ids, ...ids])).status, 201);
      assert.equal((await connected()).length, 25);
      assert.equal((await connect([notificationId])).status, 409);
      for (const id of ids.slice(0, 6)) assert.equal((await user.api.delete(`${path}/${id}`)).status, 200);
      assert.equal((await connect([notificationId])).status, 201);
    });

    it('stays the same if one of a list belongs to another user', async () => {
      const foreign = await buildNotification(await platform.user());
      assert.equal((await connect([notificationId, foreign])).status, 404);
      assert.deepEqual(await connected(), []);
    });
  });
});
