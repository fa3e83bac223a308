import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildNotification } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

const url = 'https://receiver.example.org/hook?a=1';

describe('notifications', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const stranger = useUser(platform);

  const make = async (notification: Record<string, unknown> = {}) => {
    const response = await user.api.post('/notifications', {
      notification: { type: 'url', destination: url, ...notification },
    });
    assert.equal(response.status, 201, JSON.stringify(response.body));
    return response.body.notification;
  };
  const alarm = () =>
    buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 30', inactivity: 60 },
      notifications: [{ type: 'url', destination: url, text: 'hot' }],
    });
  const ids = (body: { notifications: { id: string }[] }) => body.notifications.map(({ id }) => id);

  it('are saved with a warning where this installation refuses the address', async () => {
    const post = async (destination: string, type = 'url') =>
      (await user.api.post('/notifications', { notification: { type, destination } })).body;
    for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]', '192.168.1.7:8080']) {
      const { notification, warning } = await post(`http://${host}/hook?token=s3cret`);
      assert.match(warning, /DELIVERY_ALLOW_NETWORKS/, host);
      assert.ok(!warning.includes('s3cret'));
      assert.ok(!('warning' in (await user.api.get(`/notifications/${notification.id}`)).body));
    }
    const { notification, ...rest } = await post('http://127.0.0.1:9/');
    assert.deepEqual(rest, {}, 'this one is allowed here');
    assert.deepEqual(Object.keys(await post('a@example.org', 'email')), ['notification']);
    const path = `/notifications/${notification.id}`;
    const changed = await user.api.put(path, { notification: { destination: 'http://10.0.0.1/' } });
    assert.equal(changed.status, 200);
    assert.match(changed.body.warning, /not public/);
  });

  it('are created with a secret of their own', async () => {
    const response = await user.api.post('/notifications', {
      notification: { type: 'email', destination: 'a@example.org', text: 'hello' },
    });
    assert.equal(response.status, 201);
    const { id, signing_secret, ...rest } = response.body.notification;
    assert.deepEqual(rest, {
      type: 'email',
      destination: 'a@example.org',
      format: 'form',
      ...{ method: 'POST', headers: {}, secrets: {}, content_type: null, body: null, body_resolved: null },
      ...{ destination_resolved: null, body_acknowledged: null, destination_acknowledged: null, ca_certificate: null },
      ...{ success: null, waiting: null },
      preset: null,
      digest: true,
      confirmed: true,
      text: 'hello',
      previous_secret_until: null,
      enabled: true,
      disabled_reason: '',
      probe: null,
      ...{ last_proven: null, person: null },
      last_delivery: null,
    });
    assert.equal(response.headers.get('location'), `${platform.url}/notifications/${id}`);
    const bytes = Buffer.from(signing_secret.replace(/^whsec_/, ''), 'base64').length;
    assert.ok(signing_secret.startsWith('whsec_') && bytes >= 24 && bytes <= 32);
    assert.notEqual((await make()).signing_secret, signing_secret);
    assert.deepEqual((await user.api.get(`/notifications/${id}`)).body, response.body);
    assert.equal((await make()).text, '');
  });

  it('may have a name, which a record without one does not mention', async () => {
    for (const fields of [
      { type: 'url', destination: url },
      { type: 'email', destination: 'a@example.org' },
      { preset: 'ntfy', topic: 'cellar' },
    ]) {
      const named = (await user.api.post('/notifications', { notification: { ...fields, name: 'The team' } })).body;
      assert.equal(named.notification?.name, 'The team', JSON.stringify(named));
      const path = `/notifications/${named.notification.id}`;
      const change = async (changes: object) => (await user.api.put(path, { notification: changes })).body.notification;
      assert.equal((await change({ text: 'hot' })).name, 'The team');
      assert.equal((await change({ name: 'All' })).name, 'All');
      assert.ok(!('name' in (await change({ name: null }))));
    }
    const long = await user.api.post('/notifications', {
      notification: { type: 'url', destination: url, name: 'x'.repeat(101) },
    });
    assert.deepEqual(Object.keys(long.body.fields), ['notification.name']);
  });

  it('are refused with a destination of another type', async () => {
    const wrong = [
      { type: 'email', destination: 'nobody' },
      { type: 'email', destination: 'a@example.org, b@example.org' },
      { type: 'url', destination: 'a@example.org' },
      { type: 'url', destination: 'ftp://example.org/' },
      { type: 'url', destination: 'https://user:password@example.org/' },
      { type: 'url', destination: '' },
      { type: 'url' },
    ];
    for (const notification of wrong) {
      const response = await user.api.post('/notifications', { notification });
      assert.equal(response.status, 400, JSON.stringify(notification));
      assert.ok('notification.destination' in response.body.fields);
      assert.ok(!JSON.stringify(response.body).includes('password'));
    }
  });

  it('are refused with another type and with a text of more than 10,000 characters', async () => {
    const sms = await user.api.post('/notifications', { notification: { type: 'sms', destination: url } });
    assert.ok('notification.type' in sms.body.fields);
    const long = await user.api.post('/notifications', {
      notification: { type: 'url', destination: url, text: 'x'.repeat(10_001) },
    });
    assert.ok('notification.text' in long.body.fields);
    assert.equal((await make({ text: '🌡'.repeat(10_000) })).text.length, 20_000);
  });

  it('change only the given fields, which must fit together', async () => {
    const made = await make({ text: 'hot' });
    const path = `/notifications/${made.id}`;
    const changed = await user.api.put(path, { notification: { text: 'warm', destination: '', signing_secret: 'x' } });
    assert.equal(changed.status, 200);
    assert.deepEqual(changed.body.notification, { ...made, text: 'warm' });
    assert.equal((await user.api.put(path, { notification: { type: 'email' } })).status, 400);
    const both = await user.api.put(path, { notification: { type: 'email', destination: 'a@example.org' } });
    assert.deepEqual([both.status, both.body.notification.type], [200, 'email']);
  });

  it('are listed page by page, only for their owner', async () => {
    const lister = await platform.user();
    const made: string[] = [];
    for (const text of ['a', 'b', 'c']) {
      const response = await lister.api.post('/notifications', {
        notification: { type: 'url', destination: url, text },
      });
      made.push(response.body.notification.id);
    }
    assert.deepEqual(ids((await lister.api.get('/notifications')).body), made);
    const page = await lister.api.get('/notifications?page=1&per_page=2&total=1');
    assert.deepEqual([ids(page.body), page.body.total], [made.slice(2), 3]);
  });

  it('are invisible to other users', async () => {
    const path = `/notifications/${(await make()).id}`;
    assert.equal((await stranger.api.get(path)).status, 404);
    assert.equal((await stranger.api.put(path, { notification: { text: 'mine' } })).status, 404);
    assert.equal((await stranger.api.delete(path)).status, 404);
    assert.equal((await stranger.api.post(`${path}/test?wait=0`)).status, 404);
    assert.deepEqual((await stranger.api.get('/notifications')).body, { notifications: [] });
    assert.equal((await platform.anonymous.post('/notifications', {})).status, 401);
  });

  it('are connected to a trigger on a sensor, repeatedly without harm, and disconnected', async () => {
    const { sensorId, triggerId, notificationIds } = await alarm();
    const path = `/sensors/${sensorId}/triggers/${triggerId}/notifications`;
    const second = await make();
    const body = { notifications: [{ notification: { id: second.id } }, { notification: { id: notificationIds[0] } }] };
    const connected = await user.api.post(path, body);
    assert.equal(connected.status, 201);
    assert.deepEqual(ids(connected.body).sort(), [...notificationIds, second.id].sort());
    assert.equal((await user.api.post(path, { notification: { id: Number(second.id) } })).status, 201);
    assert.equal((await user.api.get(path)).body.notifications.length, 2);
    const page = await user.api.get(`${path}?page=1&per_page=1&total=1`);
    assert.deepEqual([ids(page.body), page.body.total], [[second.id], 2]);
    assert.deepEqual(Object.keys((await user.api.get(`${path}?per_page=x`)).body.fields), ['per_page']);
    const removed = await user.api.delete(`${path}/${second.id}`);
    assert.deepEqual([removed.status, removed.body], [200, {}]);
    assert.equal((await user.api.delete(`${path}/${second.id}`)).status, 404);
    assert.deepEqual(ids((await user.api.get(path)).body), notificationIds);
  });

  it('are connected all or not at all, and must belong to the user', async () => {
    const { sensorId, triggerId, notificationIds } = await alarm();
    const path = `/sensors/${sensorId}/triggers/${triggerId}/notifications`;
    const foreign = await buildNotification(stranger);
    const second = await make();
    const body = {
      notifications: [{ notification: { id: second.id } }, { notification: { id: foreign } }],
    };
    assert.equal((await user.api.post(path, body)).status, 404);
    assert.equal((await user.api.post(path, {})).status, 400);
    assert.deepEqual(ids((await user.api.get(path)).body), notificationIds);
    assert.equal((await stranger.api.get(path)).status, 404);
  });

  it('are listed over all triggers on sensors, each with its trigger', async () => {
    const lister = await platform.user();
    const built = await buildAlarm(lister, {
      trigger: { expression: 'sensor_data_value > 30' },
      notifications: [
        { type: 'url', destination: url, text: 'one' },
        { type: 'email', destination: 'a@example.org', text: 'two' },
      ],
    });
    const { body } = await lister.api.get('/sensors/triggers/notifications?total=1');
    assert.deepEqual([ids(body), body.total], [built.notificationIds, 2]);
    const [first] = body.notifications;
    assert.deepEqual([first.sensor_id, first.trigger_id, first.text], [built.sensorId, built.triggerId, 'one']);
    const { trigger } = (await lister.api.get(`/sensors/${built.sensorId}/triggers/${built.triggerId}`)).body;
    assert.deepEqual(first.trigger, trigger);
    assert.deepEqual((await stranger.api.get('/sensors/triggers/notifications')).body, { notifications: [] });
  });

  it('deactivate their triggers when they are deleted', async () => {
    const { sensorId, triggerId, notificationIds } = await alarm();
    const path = `/sensors/${sensorId}/triggers/${triggerId}`;
    await user.api.post(`${path}/notifications`, { notification: { id: (await make()).id } });
    const untouched = await alarm();
    const response = await user.api.delete(`/notifications/${notificationIds[0]}`);
    assert.deepEqual([response.status, response.body], [200, {}]);
    assert.equal((await user.api.get(path)).body.trigger.active, false);
    assert.equal((await user.api.get(`${path}/notifications`)).body.notifications.length, 1);
    const other = await user.api.get(`/sensors/${untouched.sensorId}/triggers/${untouched.triggerId}`);
    assert.equal(other.body.trigger.active, true);
    const rows = await platform.query('SELECT due_at_ms FROM sensor_triggers WHERE sensor_id = ?', [sensorId]);
    assert.deepEqual(rows, [{ due_at_ms: null }]);
  });

  it('either deactivate the trigger or are not connected when they are deleted while being connected', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { sensorId, triggerId } = await buildAlarm(user, { trigger: { inactivity: 60 }, notifications: [] });
      const id = await buildNotification(user);
      const path = `/sensors/${sensorId}/triggers/${triggerId}`;
      const [connected, removed] = await Promise.all([
        user.api.post(`${path}/notifications`, { notification: { id } }),
        user.api.delete(`/notifications/${id}`),
      ]);
      assert.equal(removed.status, 200);
      const { active } = (await user.api.get(path)).body.trigger;
      assert.equal(active, connected.status === 404, `status of connecting: ${connected.status}`);
    }
  });
});
