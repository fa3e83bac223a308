import assert from 'node:assert/strict';
import { buildNotification, createKey } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

const HOOK = 'https://hooks.slack.com/services/T0123456789/B0123456789/aBcDeFgHiJkLmNoPqRsTuVwX';

describe('presets', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const post = (notification: Record<string, unknown>) => user.api.post('/notifications', { notification });

  it('are listed with their fields', async () => {
    const { status, body } = await user.api.get('/notifications/presets');
    assert.equal(status, 200);
    assert.equal(body.presets.length, 18);
    const [slack] = body.presets;
    assert.deepEqual(Object.keys(slack).sort(), ['documentation', 'fields', 'name', 'title']);
    assert.deepEqual([slack.name, slack.title], ['slack', 'Slack']);
    const { help, example, pattern, ...field } = slack.fields[0];
    assert.deepEqual(field, { name: 'webhook_url', title: 'Webhook URL', secret: true, required: true, default: '' });
    assert.ok(new RegExp(`^(?:${pattern})$`, 'u').test(example) && help !== '');
    assert.equal((await platform.anonymous.get('/notifications/presets')).status, 401);
  });

  it('fill the fields of a notification, and the record shows no secret', async () => {
    const { status, body } = await post({ preset: 'slack', webhook_url: HOOK, text: 'hot', digest: true });
    assert.equal(status, 201, JSON.stringify(body));
    const { notification } = body;
    assert.deepEqual(
      [notification.type, notification.preset, notification.text, notification.digest, notification.method],
      ['url', 'slack', 'hot', true, 'POST'],
    );
    assert.equal(
      notification.destination,
      'https://hooks.slack.com/services/T0123456789/B0123456789/{{secrets.token}}',
    );
    assert.deepEqual(notification.secrets, { token: '…' });
    const again = (await user.api.get(`/notifications/${notification.id}`)).body;
    for (const record of [body, again]) assert.ok(!JSON.stringify(record).includes('aBcDeFgHiJkLmNoPqRsTuVwX'));
    const [row] = await platform.query('SELECT * FROM notifications WHERE id = ?', [notification.id]);
    assert.ok(!JSON.stringify(row).includes('aBcDeFgHiJkLmNoPqRsTuVwX'), 'the row holds it encrypted');
  });

  it('reach no private address, which they warn of when they are saved', async () => {
    for (const server of ['http://10.0.0.1', 'http://169.254.169.254/latest', 'http://[::ffff:10.0.0.1]:8080']) {
      const { status, body } = await post({ preset: 'gotify', server, token: 'AkWcGmDyGs5rGXH' });
      assert.equal(status, 201, JSON.stringify(body));
      assert.match(body.warning, /not public/);
      const { id } = body.notification;
      await user.api.post(`/notifications/${id}/test?wait=0`);
      await platform.settle();
      const { last_delivery } = (await user.api.get(`/notifications/${id}`)).body.notification;
      assert.deepEqual(
        [last_delivery.status, last_delivery.error],
        ['failed', 'the address is not public (an operator can allow it: DELIVERY_ALLOW_NETWORKS)'],
        server,
      );
    }
  });

  it('take ids as numbers, as everywhere', async () => {
    const token = '110201543:AA-example-token-of-a-bot-0123456789';
    const { status, body } = await post({ preset: 'telegram', token, chat_id: -1001234567890 });
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body.notification.body.chat_id, -1001234567890);
  });

  it('are null in records of other notifications', async () => {
    const id = await buildNotification(user);
    assert.equal((await user.api.get(`/notifications/${id}`)).body.notification.preset, null);
  });

  it('leave what they filled to be changed', async () => {
    const { notification } = (await post({ preset: 'ntfy', topic: 'greenhouse' })).body;
    const body = { topic: 'cellar', message: '{{title}}' };
    const changed = (await user.api.put(`/notifications/${notification.id}`, { notification: { body } })).body;
    assert.deepEqual([changed.notification.preset, changed.notification.body], ['ntfy', body]);
  });

  for (const [given, field, why] of [
    [{ preset: 'icq' }, 'preset', /^must be one of slack, mattermost, /],
    [{ preset: 'slack' }, 'webhook_url', /^must be given: At api\.slack\.com\/apps/],
    [{ preset: 'slack', webhook_url: '' }, 'webhook_url', /^must be given/],
    [
      { preset: 'slack', webhook_url: 'ftp://example.org/services/a/b/c' },
      'webhook_url',
      /^must be an http or https URL/,
    ],
    [{ preset: 'slack', webhook_url: `${HOOK}{{7*7}}` }, 'webhook_url', /^must not hold templates/],
    [{ preset: 'slack', webhook_url: HOOK, topic: 'x' }, 'topic', /^is not a field of the preset slack/],
    [{ preset: 'slack', webhook_url: HOOK, type: 'email' }, 'type', /^must be url with a preset/],
    [{ preset: 'slack', webhook_url: HOOK, destination: HOOK }, 'destination', /^is filled by the preset slack/],
    [{ preset: 'slack', webhook_url: HOOK, body: {} }, 'body', /^is filled by the preset slack/],
    [
      { preset: 'ntfy', topic: 'cellar', tokens: 'tk_aBcDeFgHiJkLmNoPqRsTuVwX' },
      'tokens',
      /^is not a field of the preset ntfy$/,
    ],
    [{ preset: 'ntfy', topic: 'a/b' }, 'topic', /^must be the name of a topic/],
    [{ type: 'url' }, 'destination', /is required/],
    [{ destination: HOOK }, 'type', /is required/],
  ] as const) {
    it(`refuse ${JSON.stringify(given).slice(0, 90)}`, async () => {
      const { status, body } = await post(given);
      assert.equal(status, 400);
      assert.deepEqual(Object.keys(body.fields), [`notification.${field}`]);
      assert.match(body.fields[`notification.${field}`], why);
      assert.ok(!JSON.stringify(body).includes('aBcDeFgHiJkLmNoPqRsTuVwX'), 'an error repeats no secret');
    });
  }

  it('ignore the fields of presets where none is given', async () => {
    const { status, body } = await post({ type: 'url', destination: 'https://example.org/', topic: 'x' });
    assert.deepEqual([status, body.notification.preset], [201, null]);
  });

  it('need the scopes of notifications', async () => {
    const reader = await createKey(user, { scopes: ['read'] });
    const withKey = { headers: { Authorization: `Bearer ${reader.secret}` } };
    const list = await fetch(`${platform.url}/notifications/presets`, withKey);
    assert.equal(list.status, 200);
    const body = JSON.stringify({ notification: { preset: 'ntfy', topic: 'x' } });
    const headers = { ...withKey.headers, 'Content-Type': 'application/json' };
    const made = await fetch(`${platform.url}/notifications`, { method: 'POST', headers, body });
    assert.equal(made.status, 403);
  });
});
