import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildNotification, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser, useUserPerTest } from '../../support/hooks';

type Fields = Record<string, unknown>;

describe('the preview of a notification', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  const other = useUser(platform);

  const hook = (fields: Fields = {}): Fields => ({ type: 'url', destination: `${receiver.url}/hook`, ...fields });
  const ask = (notification: Fields, more: Fields = {}) =>
    user.api.post('/notifications/preview', { notification, ...more });
  const preview = async (notification: Fields, more: Fields = {}) => {
    const response = await ask(notification, more);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body.preview;
  };
  const send = async (sensorId: string, value: number) => {
    clock.advance(61_000);
    await upload(user, sensorId, { value, date: clock.now() / 1000 });
    await platform.settle();
  };
  const build = async (notification: Fields = hook()) =>
    buildAlarm(user, {
      sensor: { name: 'hall', data_structure: '{"unit": "°C"}' },
      trigger: {
        ...{ name: 'warm', expression: 'sensor_data_value > 30', severity: 'critical', notify_resolved: true },
        resolved_text: 'over: $sensor_data_value',
      },
      notifications: [notification],
    });

  const TEMPLATES = {
    ...{ method: 'PUT', text: '$sensor_name: $sensor_data_value', headers: { Authorization: 'Bearer s3cret' } },
    body: { what: '{{title}}', text: '{{text}}', level: '{{number(severity == "critical" ? 8 : 5)}}' },
    body_resolved: { text: '{{text}}', state: '{{state}}' },
    body_acknowledged: { acknowledged: '{{text}}', state: '{{state}}' },
  };

  it('is what the receiver gets for the firing and for its end', async () => {
    const fields = hook(TEMPLATES);
    const { sensorId } = await build(fields);
    await send(sensorId, 31);
    const fired = await preview(fields);
    const ended = await preview(fields, { state: 'resolved' });
    await send(sensorId, 20);
    const [first, second] = receiver.received;
    assert.deepEqual(
      [fired.method, fired.url, fired.content_type],
      ['PUT', `${receiver.url}/hook`, 'application/json'],
    );
    assert.equal(fired.body, first?.rawBody);
    assert.deepEqual(JSON.parse(fired.body), { what: 'Critical: warm on hall', text: 'hall: 31', level: 8 });
    assert.equal(ended.body, second?.rawBody);
    assert.equal((await preview(fields, { state: 'resolved' })).body, second?.rawBody);
    const own = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'user-agent', 'authorization', 'content-type'];
    assert.deepEqual(Object.keys(fired.headers), own);
    for (const name of own) assert.ok(first?.headers[name], name);
    assert.deepEqual([fired.headers.authorization, fired.headers['webhook-signature']], ['…', '…']);
  });

  it('shows the acknowledgement only if there is a body for it', async () => {
    const { sensorId } = await build();
    await send(sensorId, 31);
    const { body, states } = await preview(hook(TEMPLATES), { state: 'acknowledged' });
    assert.deepEqual(states, ['firing', 'resolved', 'acknowledged']);
    assert.deepEqual((await preview(hook())).states, ['firing', 'resolved']);
    assert.deepEqual(JSON.parse(body), { acknowledged: 'hall: 31', state: 'acknowledged' });
    const refused = await ask(hook(), { state: 'acknowledged' });
    assert.equal(refused.status, 400);
    assert.deepEqual(refused.body.fields, { state: 'must not be acknowledged without a body_acknowledged' });
    assert.equal((await ask(hook(), { state: 'over' })).status, 400);
  });

  it('has the bodies of forms, JSON and mails', async () => {
    const { sensorId, triggerId } = await build();
    await send(sensorId, 31);
    const form = await preview(hook({ text: '$sensor_data_value' }));
    assert.equal(form.body, `sensor_id=${sensorId}&trigger_id=${triggerId}&text=31`);
    const json = JSON.parse((await preview(hook({ format: 'json' }))).body);
    assert.deepEqual([json.type, json.data.value], ['trigger.fired', '31']);
    assert.equal(json.data.acknowledge_url.endsWith('/acknowledge?token=…'), true);
    const mail = await preview({ type: 'email', destination: 'ann@example.org', text: 'It is $sensor_data_value' });
    assert.deepEqual(
      [mail.method, mail.url, mail.body, mail.headers.subject],
      [null, 'ann@example.org', 'It is 31', 'Critical: warm on hall'],
    );
  });

  it('hides secrets in the URL, the headers and the body, whether they are new or stored', async () => {
    const { sensorId } = await build();
    await send(sensorId, 31);
    const fields = hook({
      destination: `${receiver.url}/bot{{secrets.token}}/send?key={{secrets.key}}`,
      ...{ headers: { 'X-Key': 'k3y' }, secrets: { token: 's3cret', key: 'k/2' } },
      body: { token: '{{secrets.token}}', long: '{{length(secrets.token) > 2 ? "leaks" : "hidden"}}' },
    });
    const id = await buildNotification(user, fields);
    const hidden = { headers: { 'X-Key': '…' }, secrets: { token: '…', key: '…' } };
    for (const shown of [await preview(fields), await preview({ ...fields, ...hidden }, { id })]) {
      assert.equal(shown.url, `${receiver.url}/bot…/send?key=…`);
      assert.deepEqual(JSON.parse(shown.body), { token: '…', long: 'hidden' });
      assert.doesNotMatch(JSON.stringify(shown), /s3cret|k3y|k\/2/);
    }
    const form = await preview(
      hook({
        ...hidden,
        secrets: { token: 's3cret' },
        headers: {},
        content_type: 'application/x-www-form-urlencoded',
        body: { t: '{{secrets.token}}' },
      }),
    );
    assert.equal(form.body, 't=…');
  });

  it('shows changes of an existing notification, and stores nothing', async () => {
    const { sensorId, notificationIds } = await build(hook({ text: 'before' }));
    const [id = ''] = notificationIds;
    await send(sensorId, 31);
    const before = (await user.api.get(`/notifications/${id}`)).body;
    const received = receiver.received.length;
    assert.match((await preview(hook({ text: 'after' }), { id })).body, /text=after$/);
    assert.equal((await user.api.get('/notifications')).body.notifications.length, 1);
    await preview(hook({ text: 'new' }));
    await platform.settle();
    assert.deepEqual((await user.api.get(`/notifications/${id}`)).body, before);
    assert.equal((await user.api.get('/notifications')).body.notifications.length, 1);
    assert.equal((await user.api.get('/deliveries')).body.deliveries.length, 1);
    assert.equal(receiver.received.length, received);
  });

  it('is of the firing that is asked for, otherwise of the latest one, otherwise of a marked sample', async () => {
    const text = { text: 'value $sensor_data_value' };
    assert.match(decodeURIComponent((await preview(hook(text))).body), /^text=value\+21\.5\+\(sample\)$/);
    const { sensorId } = await build();
    await send(sensorId, 31);
    await send(sensorId, 20);
    await send(sensorId, 32);
    const { firings } = (await user.api.get('/firings')).body;
    assert.match((await preview(hook(text))).body, /text=value\+32$/);
    assert.match((await preview(hook(text), { firing_id: firings[0].id })).body, /text=value\+31$/);
    const theirs = await other.api.post('/notifications/preview', {
      notification: hook(text),
      firing_id: firings[0].id,
    });
    assert.deepEqual([theirs.status, theirs.body.error], [404, 'the firing does not exist']);
    assert.deepEqual((await ask(hook(text), { firing_id: 'x' })).body.fields, { firing_id: 'must be an id' });
  });

  it('is refused as saving is, and names the template that cannot be evaluated', async () => {
    const wrong = hook({ body: { a: ['{{nothing}}'] } });
    const saved = await user.api.post('/notifications', { notification: wrong });
    const shown = await ask(wrong);
    assert.deepEqual([shown.status, shown.body], [saved.status, saved.body]);
    assert.equal(shown.status, 400);
    const { note, body } = await preview(hook({ body: { a: '{{sensor_data_value.lux * 2}}' } }));
    assert.deepEqual([note, body], ['{{sensor_data_value.lux * 2}}: sensor_data_value.lux does not exist', '{"a":""}']);
    const id = await buildNotification(other);
    assert.equal((await ask(hook(), { id })).status, 404);
  });
});

describe('previews of notifications', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { RATE_LIMIT_TESTS: '20' } });
  const user = useUser(platform);

  it('are limited together with tests', async () => {
    const notification = { type: 'email', destination: 'ann@example.org' };
    const statuses: number[] = [];
    for (let asked = 0; asked < 3; asked += 1) {
      statuses.push((await user.api.post('/notifications/preview', { notification })).status);
    }
    assert.deepEqual(statuses, [200, 200, 429]);
  });
});
