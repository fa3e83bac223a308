import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VapidKeys } from '../../../src/notifications/delivery/vapid-keys';
import { type Alarm, buildAlarm } from '../../support/alarm';
import { apiClient } from '../../support/api-client';
import { AUTHORITY } from '../../support/certificates';
import { createKey, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { readPushKeysElsewhere } from '../../support/other-process';
import { type PushAnswer, type PushService, SubscribedBrowser, startPushService } from '../../support/push-service';
import { recordedLogs } from '../../support/recorded-logs';
import { until } from '../../support/until';

describe('notifications to browsers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'push-'));
  const authorities = join(folder, 'authority.pem');
  writeFileSync(authorities, AUTHORITY);
  const clock = fakeClock();
  let service: PushService;

  before(async () => {
    service = await startPushService();
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });
  const platform = usePlatform({ clock, config: { DELIVERY_CA_FILE: authorities } });
  const user = useUserPerTest(platform);
  beforeEach(() => {
    for (const list of [service.pushed, service.problems, service.answers]) list.length = 0;
  });

  const make = (fields: Record<string, unknown>) =>
    user.api.post('/notifications', { notification: { type: 'push', ...fields } });
  const sendTest = async (id: string) => {
    const { body } = await user.api.post(`/notifications/${id}/test?wait=0`);
    await platform.settle();
    return (await user.api.get(`/deliveries/${body.delivery.id}`)).body.delivery;
  };
  const subscribed = async (fields: Record<string, unknown> = {}) => {
    const browser = service.subscribe();
    const { status, body } = await make({ subscription: browser.toJSON(), ...fields });
    assert.equal(status, 201, JSON.stringify(body));
    return { browser, notification: body.notification };
  };
  const push = async (id: string) => {
    assert.equal((await sendTest(id)).status, 'delivered');
    assert.deepEqual(service.problems, []);
    return service.pushed.at(-1) ?? assert.fail('nothing arrived');
  };

  it('are made from the subscription of a browser, signed with the key that it subscribed with', async () => {
    const { browser, notification } = await subscribed({ name: 'Chrome on Android', text: 'Hello' });
    assert.deepEqual(
      [notification.type, notification.destination, notification.name, notification.enabled, notification.digest],
      ['push', browser.endpoint, 'Chrome on Android', true, false],
    );
    const { message, publicKey } = await push(notification.id);
    assert.equal(message.text, 'Hello');
    const { body } = await user.api.get('/notifications/push_key');
    assert.deepEqual(body, { push_key: { public_key: publicKey } });
  });

  it('take no keys that encryption cannot use, and no endpoint that is not https, and name the field', async () => {
    const { endpoint, keys } = service.subscribe().toJSON();
    const point = Buffer.from(keys.p256dh, 'base64url');
    const offCurve = Buffer.concat([point.subarray(0, 64), Buffer.from([(point[64] ?? 0) ^ 1])]).toString('base64url');
    const wrong: [string, Record<string, unknown>][] = [
      ['subscription', {}],
      ['destination', { destination: endpoint }],
      ['destination', { destination: endpoint, subscription: { endpoint, keys } }],
      ['subscription.endpoint', { subscription: { keys } }],
      ['subscription.endpoint', { subscription: { endpoint: 'http://push.example.org/s3cret', keys } }],
      ['subscription.endpoint', { subscription: { endpoint: 'https://user:s3cret@push.example.org/', keys } }],
      ['subscription.endpoint', { subscription: { endpoint: 's3cret', keys } }],
      ['subscription.keys', { subscription: { endpoint } }],
      ['subscription.keys.auth', { subscription: { endpoint, keys: { p256dh: keys.p256dh } } }],
      ['subscription.keys.auth', { subscription: { endpoint, keys: { ...keys, auth: 'AAAA' } } }],
      ['subscription.keys.p256dh', { subscription: { endpoint, keys: { ...keys, p256dh: 'AAAA' } } }],
      ['subscription.keys.p256dh', { subscription: { endpoint, keys: { ...keys, p256dh: '(%s)' } } }],
      ['subscription.keys.p256dh', { subscription: { endpoint, keys: { ...keys, p256dh: offCurve } } }],
      ['name', { name: 'x'.repeat(101), subscription: { endpoint, keys } }],
      ['subscription', { type: 'url', destination: 'https://example.org/', subscription: { endpoint, keys } }],
      ['destination', { type: 'url' }],
    ];
    for (const [field, fields] of wrong) {
      const { status, body } = await make(fields);
      assert.equal(status, 400, JSON.stringify(fields));
      assert.deepEqual(Object.keys(body.fields), [`notification.${field}`], JSON.stringify(body));
      assert.ok(!JSON.stringify(body).includes('s3cret'));
    }
  });

  it('get a warning, and nothing is sent, if the endpoint is in a private network', async () => {
    const subscription = new SubscribedBrowser('https://10.0.0.1/send/s3cret').toJSON();
    const { status, body } = await make({ subscription });
    assert.deepEqual([status, body.warning.includes('not public')], [201, true]);
    const { attempts } = await sendTest(body.notification.id);
    assert.equal(attempts[0].error, 'the address is not public (an operator can allow it: DELIVERY_ALLOW_NETWORKS)');
  });

  it('never show the keys, and show the endpoint only to credentials that see signing secrets', async () => {
    const { browser, notification } = await subscribed({ text: 'Hello' });
    const { keys } = browser.toJSON();
    const delivery = await sendTest(notification.id);
    assert.equal(delivery.destination, browser.endpoint);
    const reader = await createKey(user, { scopes: ['read'] });
    const limited = apiClient(platform.url, { Authorization: `Bearer ${reader.secret}` });
    const paths = ['/notifications', `/notifications/${notification.id}`, '/deliveries', `/deliveries/${delivery.id}`];
    for (const path of paths) {
      const seen = JSON.stringify((await limited.get(path)).body);
      assert.ok(seen.includes(`"destination":"${service.url}"`), `${path}: ${seen}`);
      assert.ok(!seen.includes('s3cret'), path);
      const own = JSON.stringify((await user.api.get(path)).body);
      for (const key of Object.values(keys)) assert.ok(!own.includes(key), path);
    }
    const stranger = await platform.user();
    assert.equal((await stranger.api.get(`/notifications/${notification.id}`)).status, 404);
    const [row] = await platform.query('SELECT push_keys FROM notifications WHERE id = ?', [notification.id]);
    for (const key of Object.values(keys)) assert.ok(!String(row?.push_keys).includes(key));
  });

  it('keep their subscription when other fields change, and take another one', async () => {
    const { notification } = await subscribed({ text: 'Hello', name: 'old' });
    const path = `/notifications/${notification.id}`;
    const { destination } = notification;
    const changed = await user.api.put(path, { notification: { type: 'push', destination, text: 'Hi', name: 'new' } });
    assert.deepEqual([changed.status, changed.body.notification.name], [200, 'new']);
    assert.equal((await push(notification.id)).message.text, 'Hi');
    const next = service.subscribe();
    await user.api.put(path, { notification: { subscription: next.toJSON() } });
    assert.equal((await push(notification.id)).path, new URL(next.endpoint).pathname);
    const other = await user.api.put(path, { notification: { destination: 'https://example.org/' } });
    assert.deepEqual(Object.keys(other.body.fields), ['notification.destination']);
    const bare = await user.api.put(path, { notification: { type: 'url' } });
    assert.deepEqual(Object.keys(bare.body.fields), ['notification.destination']);
    const mail = await user.api.put(path, { notification: { type: 'email', destination: 'a@example.org' } });
    assert.deepEqual([mail.status, 'name' in mail.body.notification], [200, false]);
    const [row] = await platform.query('SELECT push_keys, name FROM notifications WHERE id = ?', [notification.id]);
    assert.deepEqual([row?.push_keys, row?.name], [null, null]);
    const back = await user.api.put(path, { notification: { type: 'push' } });
    assert.deepEqual(Object.keys(back.body.fields), ['notification.subscription']);
  });

  it('do not use the keys of another row, or of another user', async () => {
    const [one, other] = [await subscribed(), await subscribed()];
    const copy = 'UPDATE notifications n JOIN notifications o ON o.id = ? SET n.push_keys = o.push_keys WHERE n.id = ?';
    await platform.query(copy, [other.notification.id, one.notification.id]);
    const { status, attempts } = await sendTest(one.notification.id);
    assert.deepEqual([status, service.pushed.length], ['pending', 0]);
    assert.match(attempts[0].error, /^a stored secret cannot be decrypted/);
  });

  describe('about an alarm', () => {
    let alarm: Alarm;
    let browser: SubscribedBrowser;
    let path: string;

    beforeEach(async () => {
      browser = service.subscribe();
      alarm = await buildAlarm(user, {
        trigger: { expression: 'sensor_data_value > 30', notify_resolved: true, severity: 'critical' },
        notifications: [{ type: 'push', destination: undefined, text: '', subscription: browser.toJSON() }],
      });
      path = `/notifications/${alarm.notificationIds[0]}`;
    });
    const measure = async (value: number) => {
      clock.advance(61_000);
      await upload(user, alarm.sensorId, { value, date: clock.now() / 1000 });
      await platform.settle();
    };
    const mails = () => {
      const outbox = join(platform.container.config.dataDir, 'outbox');
      const texts = readdirSync(outbox).map((file) => readFileSync(join(outbox, file), 'utf8'));
      return texts.filter((text) => text.includes(`To: ${user.username}@example.org`));
    };

    it('carry a link that acknowledges the firing, without a session', async () => {
      await measure(31);
      const link = new URL(String(service.pushed[0]?.message.acknowledge_url));
      assert.equal(link.origin, 'http://localhost:8080');
      const { status } = await platform.anonymous.post(`${link.pathname}${link.search}`);
      const [firing] = (await user.api.get(`/firings?sensor_id=${alarm.sensorId}`)).body.firings;
      assert.deepEqual([status, firing.acknowledged?.user_id], [200, user.id]);
      await measure(20);
      assert.equal(service.pushed[1]?.message.acknowledge_url, undefined);
    });

    it('say what fired, and replace it by its end', async () => {
      await measure(31);
      await measure(20);
      assert.deepEqual(service.problems, []);
      const [fired, resolved] = service.pushed;
      assert.equal(fired?.message.title, 'Critical: alarm on thermometer');
      assert.match(String(fired?.message.text), /Value: 31/);
      const chart = `http://localhost:8080/console/sensors/${alarm.sensorId}?at=`;
      assert.ok(String(fired?.message.url).startsWith(chart), String(fired?.message.url));
      assert.deepEqual([fired?.headers.urgency, fired?.message.state], ['high', 'firing']);
      assert.equal(resolved?.message.state, 'resolved');
      assert.match(String(fired?.headers.topic), /^episode-\d+$/);
      assert.equal(resolved?.headers.topic, fired?.headers.topic);
      assert.equal(resolved?.message.tag, fired?.message.tag);
      assert.equal(fired?.token.sub, 'mailto:postmaster@localhost');
    });

    for (const status of [404, 410]) {
      it(`are disabled at once by ${status}, and their owner gets a mail without the endpoint`, async () => {
        service.answers.push(status);
        await measure(31);
        const { enabled, disabled_reason, last_delivery } = (await user.api.get(path)).body.notification;
        assert.deepEqual([enabled, disabled_reason], [false, 'gone']);
        assert.deepEqual([last_delivery.status, last_delivery.status_code], ['failed', status]);
        assert.equal(last_delivery.error, 'the subscription of the browser has ended');
        const [mail, ...more] = mails();
        assert.ok(mail);
        assert.ok(mail.includes('Its subscription has ended'), mail);
        assert.ok(mail.includes(service.url));
        assert.ok(!mail.replaceAll('=\r\n', '').includes('s3cret'));
        assert.deepEqual(more, []);
        await measure(20);
        await measure(31);
        assert.equal(service.pushed.length, 1, 'nothing is sent there any more');
      });
    }

    const later: [PushAnswer, number][] = [
      [413, 6_000],
      [[429, { 'retry-after': '120' }], 121_000],
      [500, 6_000],
    ];
    for (const [answer, laterMs] of later) {
      it(`are sent again ${laterMs / 1000} s after ${[answer].flat()[0]}, and not before`, async () => {
        service.answers.push(answer);
        const { id, status } = await sendTest(alarm.notificationIds[0] ?? '');
        assert.equal(status, 'pending');
        const settled = async (ms: number) => {
          clock.advance(ms);
          await platform.settle();
          return (await user.api.get(`/deliveries/${id}`)).body.delivery;
        };
        assert.equal((await settled(laterMs - 2_000)).attempts.length, 1);
        const { status: end, attempts } = await settled(2_000);
        assert.deepEqual([end, attempts.length], ['delivered', 2]);
        assert.equal((await user.api.get(path)).body.notification.enabled, true);
      });
    }

    it('put no key and no endpoint into a log, an error or a job', async () => {
      const { keys } = browser.toJSON();
      const { body } = await user.api.get('/notifications/push_key');
      const secrets = ['s3cret', keys.auth, keys.p256dh, (await platform.container.vapidKeys.pair()).privateKey];
      const { logged } = await recordedLogs(platform, async () => {
        for (const answer of [500, 413, 400, 410]) {
          service.answers.push(answer);
          await measure(20);
          await measure(31);
        }
      });
      const jobs = await Promise.all(
        Object.values(platform.container.queues).map((queue) =>
          queue.getJobs(['waiting', 'delayed', 'prioritized', 'completed', 'failed', 'active']),
        ),
      );
      const attempts = await platform.query('SELECT error FROM delivery_attempts');
      const texts = [...logged, JSON.stringify(jobs.flat().map((job) => job?.data)), JSON.stringify(attempts)];
      assert.ok(attempts.length >= 4 && body.push_key.public_key !== '');
      for (const text of texts) for (const secret of secrets) assert.ok(!text.includes(secret), text);
    });
  });
});

describe('the key that browsers subscribe with', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);

  it('is one for processes that create it at the same moment, and for all that come later', async () => {
    const { pool } = platform.container.database;
    const { secretBox, clock } = platform.container;
    // While the table is locked, each process finds no key and waits to insert its own.
    const lock = await pool.getConnection();
    await lock.query('LOCK TABLES vapid_keys READ');
    const others = readPushKeysElsewhere(platform, 2);
    const here = new VapidKeys(pool, secretBox, clock).publicKey();
    const waiting = "SELECT id FROM information_schema.processlist WHERE info LIKE 'INSERT IGNORE INTO vapid_keys%'";
    await until('all three wait', async () => (await platform.query(waiting)).length === 3);
    await lock.query('UNLOCK TABLES');
    lock.release();
    const keys = new Set([...(await others), await here, await new VapidKeys(pool, secretBox, clock).publicKey()]);
    assert.equal(keys.size, 1, [...keys].join(' '));
    assert.match([...keys][0] ?? '', /^B[\w-]{86}$/);
    const { body } = await user.api.get('/notifications/push_key');
    assert.deepEqual([...keys], [body.push_key.public_key]);
    const rows = await platform.query('SELECT private_key FROM vapid_keys');
    assert.equal(rows.length, 1);
    const { privateKey } = await platform.container.vapidKeys.pair();
    assert.equal(privateKey.length, 43);
    assert.ok(!String(rows[0]?.private_key).includes(privateKey));
  });

  it('needs a credential', async () => {
    const { status } = await platform.anonymous.get('/notifications/push_key');
    assert.equal(status, 401);
  });
});
