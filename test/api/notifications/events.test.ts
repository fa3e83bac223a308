import assert from 'node:assert/strict';

import { EVENT_NAMES } from '../../../src/events/event-catalogue';
import { buildNotification } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

describe('events over HTTP', () => {
  const platform = usePlatform();
  const owner = useUser(platform);
  const stranger = useUser(platform);
  let notificationId: string;

  before(async () => {
    notificationId = await buildNotification(owner);
  });

  const connect = (fields: Record<string, unknown> = {}, user = owner) =>
    user.api.post('/events/notifications', {
      event_notification: { name: 'watch', event: 'update_sensor', notification_id: notificationId, ...fields },
    });

  it('lists the events with the kinds of their subject and source', async () => {
    const { status, body } = await owner.api.get('/events');
    assert.equal(status, 200);
    assert.deepEqual(
      body.events.map(({ name }: { name: string }) => name),
      EVENT_NAMES,
    );
    assert.deepEqual(
      body.events.find(({ name }: { name: string }) => name === 'add_group_user'),
      {
        name: 'add_group_user',
        description: 'A user was added to a group, or asked to join it',
        subject: 'user',
        source: 'group',
      },
    );
    assert.equal('total' in body, false);
  });

  it('lists the events page by page, with their number on request', async () => {
    const { body } = await owner.api.get('/events?page=1&per_page=5&total=1');
    assert.deepEqual(
      body.events.map(({ name }: { name: string }) => name),
      EVENT_NAMES.slice(5, 10),
    );
    assert.equal(body.total, EVENT_NAMES.length);
    assert.equal('total' in (await owner.api.get('/events?total=0')).body, false);
  });

  it('responds to a new event notification with its record and its location', async () => {
    const created = await connect({ priority: '3', source_id: 12 });
    assert.equal(created.status, 201);
    const { id, ...record } = created.body.event_notification;
    assert.match(id, /^[1-9][0-9]*$/);
    assert.equal(created.headers.get('location'), `${platform.url}/events/notifications/${id}`);
    assert.deepEqual(record, {
      name: 'watch',
      event: 'update_sensor',
      notification_id: notificationId,
      priority: 3,
      enabled: true,
      source_id: '12',
    });
    assert.deepEqual((await owner.api.get(`/events/notifications/${id}`)).body, created.body);
  });

  it('requires only an event and a notification, given as strings or numbers', async () => {
    const { status, body } = await owner.api.post('/events/notifications.json', {
      event_notification: { event: 'add_sensor', notification_id: Number(notificationId) },
    });
    assert.equal(status, 201);
    const { name, priority, source_id, enabled } = body.event_notification;
    assert.deepEqual({ name, priority, source_id, enabled }, { name: '', priority: 0, source_id: null, enabled: true });
  });

  it('takes an empty source and a source of 0 as no source', async () => {
    for (const source_id of ['', null, 0, '0']) {
      assert.equal((await connect({ source_id })).body.event_notification.source_id, null);
    }
  });

  it('refuses an unknown event by the name of the field', async () => {
    for (const event of ['explode_sensor', 'toString', 'ADD_SENSOR']) {
      const { status, body } = await connect({ event });
      assert.equal(status, 400);
      assert.deepEqual(Object.keys(body.fields), ['event_notification.event']);
    }
  });

  it('refuses missing and invalid fields', async () => {
    for (const fields of [
      { event: undefined },
      { notification_id: undefined },
      { priority: 1.5 },
      { priority: 2 ** 31 },
      { priority: 'high' },
      { source_id: 'x' },
      { name: 'n'.repeat(256) },
    ]) {
      assert.equal((await connect(fields)).status, 400, JSON.stringify(fields));
    }
  });

  it("does not distinguish another user's notification from one that does not exist", async () => {
    const foreign = await buildNotification(stranger);
    for (const notification_id of [foreign, '999999999', '0', 'x']) {
      const { status, body } = await connect({ notification_id });
      assert.deepEqual([status, body.code], [404, 'not_found']);
    }
    const id = (await connect()).body.event_notification.id;
    const change = await owner.api.put(`/events/notifications/${id}`, {
      event_notification: { notification_id: foreign },
    });
    assert.equal(change.status, 404);
  });

  it('changes only the given fields', async () => {
    const before = (await connect({ priority: 2, source_id: 5 })).body.event_notification;
    const path = `/events/notifications/${before.id}`;
    const disabled = await owner.api.put(path, { event_notification: { enabled: false } });
    assert.equal(disabled.status, 200);
    assert.deepEqual(disabled.body.event_notification, { ...before, enabled: false });
    const changed = await owner.api.put(path, {
      event_notification: { ...before, name: 'new', event: 'delete_sensor', priority: -1, enabled: '1', source_id: 0 },
    });
    const expected = { ...before, name: 'new', event: 'delete_sensor', priority: -1, enabled: true, source_id: null };
    assert.deepEqual(changed.body.event_notification, expected);
    assert.deepEqual((await owner.api.get(path)).body.event_notification, expected);
  });

  it("lists the user's own event notifications, filtered by event and by whether they are enabled", async () => {
    const user = await platform.user();
    const mine = await buildNotification(user);
    const add = async (event: string, enabled: boolean) =>
      (await connect({ event, enabled, notification_id: mine }, user)).body.event_notification.id;
    const ids = [await add('add_sensor', true), await add('add_sensor', false), await add('add_trigger', true)];
    const list = async (query: string) =>
      (await user.api.get(`/events/notifications${query}`)).body.event_notifications.map(
        ({ id }: { id: string }) => id,
      );
    assert.deepEqual(await list(''), ids);
    assert.deepEqual(await list('?enabled=1'), [ids[0], ids[2]]);
    assert.deepEqual(await list('?enabled=0'), [ids[1]]);
    assert.deepEqual(await list('?event=add_sensor'), [ids[0], ids[1]]);
    assert.deepEqual(await list('?event=add_sensor&enabled=1'), [ids[0]]);
    assert.deepEqual(await list('?event=nothing'), []);
    assert.deepEqual(await list('?page=1&per_page=2'), [ids[2]]);
    assert.equal((await user.api.get('/events/notifications?total=1&per_page=1')).body.total, 3);
    assert.equal('total' in (await user.api.get('/events/notifications?total=0')).body, false);
  });

  it('deletes an event notification and keeps its notification', async () => {
    const { id } = (await connect()).body.event_notification;
    assert.deepEqual((await owner.api.delete(`/events/notifications/${id}`)).body, {});
    assert.equal((await owner.api.get(`/events/notifications/${id}`)).status, 404);
    assert.equal((await owner.api.delete(`/events/notifications/${id}`)).status, 404);
    assert.equal((await connect()).status, 201);
  });

  it('deletes event notifications together with their notification, and no others', async () => {
    const [gone, kept] = [await buildNotification(owner), await buildNotification(owner)];
    const idOf = async (fields: Record<string, unknown>) => (await connect(fields)).body.event_notification.id;
    const ids = [await idOf({ notification_id: gone }), await idOf({ notification_id: gone, enabled: false })];
    const other = await idOf({ notification_id: kept });
    assert.equal((await owner.api.delete(`/notifications/${gone}`)).status, 200);
    for (const id of ids) assert.equal((await owner.api.get(`/events/notifications/${id}`)).status, 404);
    assert.equal((await owner.api.get(`/events/notifications/${other}`)).status, 200);
    const listed = (await owner.api.get('/events/notifications')).body.event_notifications;
    assert.equal(listed.filter((one: { notification_id: string }) => one.notification_id === gone).length, 0);
  });

  it('hides the event notifications of other users', async () => {
    const path = `/events/notifications/${(await connect()).body.event_notification.id}`;
    assert.equal((await stranger.api.get(path)).status, 404);
    assert.equal((await stranger.api.put(path, { event_notification: { enabled: false } })).status, 404);
    assert.equal((await stranger.api.delete(path)).status, 404);
    assert.deepEqual((await stranger.api.get('/events/notifications')).body.event_notifications, []);
  });

  it('requires a session', async () => {
    for (const path of ['/events', '/events/notifications', '/events/notifications/1']) {
      assert.equal((await platform.anonymous.get(path)).status, 401);
    }
  });
});
