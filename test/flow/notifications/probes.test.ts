import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { Probes } from '../../../src/notifications/deliveries/probes';
import { buildAlarm } from '../../support/alarm';
import { buildNotification, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { subscribe } from '../../support/subscribe';

const HOUR_S = 3_600;
const HOUR_MS = HOUR_S * 1_000;

describe('probes of a notification', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const events = useReceiver();
  const user = useUserPerTest(platform);
  afterEach(() => platform.query('UPDATE notifications SET probe_s = NULL, probe_due_ms = NULL'));

  const build = (fields: object = {}) =>
    buildNotification(user, { destination: receiver.url, text: 'hot', probe: HOUR_S, ...fields });
  const change = async (id: string, fields: object) => {
    assert.equal((await user.api.put(`/notifications/${id}`, { notification: fields })).status, 200);
  };
  const record = async (id: string) => (await user.api.get(`/notifications/${id}`)).body.notification;
  const pass = async (ms: number) => {
    clock.advance(ms);
    await platform.settle();
  };
  /** How many requests have come, after this time. */
  const cameAfter = async (ms: number) => {
    await pass(ms);
    return receiver.received.length;
  };
  const mails = async () => {
    const outbox = join(platform.container.config.dataDir, 'outbox');
    const files = await readdir(outbox).catch(() => []);
    const texts = await Promise.all(files.map((file) => readFile(join(outbox, file), 'utf8')));
    return texts.filter((text) => text.includes(`To: ${user.username}@example.org`));
  };

  it('are off by default, and have a period from an hour to thirty days', async () => {
    const id = await buildNotification(user, { destination: receiver.url });
    const { probe, last_proven } = await record(id);
    assert.deepEqual([probe, last_proven], [null, null]);
    assert.equal(await cameAfter(31 * 24 * HOUR_MS), 0);
    for (const wrong of [3_599, 2_592_001, 0, -3_600, 3_600.5, 'often', []]) {
      const refused = await user.api.put(`/notifications/${id}`, { notification: { probe: wrong } });
      assert.equal(refused.status, 400, String(wrong));
      assert.match(JSON.stringify(refused.body), /probe/);
    }
    for (const right of [3_600, 2_592_000]) {
      await change(id, { probe: right });
      assert.equal((await record(id)).probe, right);
    }
  });

  it('come once in each period, never early, however many processes look for them', async () => {
    await build();
    assert.equal(await cameAfter(HOUR_MS - 1), 0);
    assert.equal(await cameAfter(1), 1);
    assert.equal(await cameAfter(HOUR_MS - 1), 1);
    clock.advance(1);
    await Promise.all(Array.from({ length: 8 }, () => platform.container.reconciler.startDeliveries()));
    assert.equal(await cameAfter(0), 2);
    assert.equal(await cameAfter(30_000), 2);
    assert.equal(await cameAfter(HOUR_MS - 30_001), 2, 'the next one keeps to the time of the first');
    assert.equal(await cameAfter(1), 3);
  });

  it('are made for a while only in one run, and by the next runs', async () => {
    await build();
    await build();
    clock.advance(HOUR_MS);
    const { pool } = platform.container.database;
    const probes = new Probes(pool, clock, platform.container.logger, 0);
    assert.deepEqual(
      [(await probes.insertDue()).length, (await probes.insertDue()).length, (await probes.insertDue()).length],
      [1, 1, 0],
    );
    assert.equal(await cameAfter(0), 2);
  });

  it('say what they are, signed like every delivery', async () => {
    const { notificationIds } = await buildAlarm(user, {
      sensor: { name: 'cold store' },
      trigger: { expression: 'sensor_data_value > 30' },
      notifications: [{ type: 'url', destination: receiver.url, text: 'hot', format: 'json', probe: HOUR_S }],
    });
    const id = String(notificationIds[0]);
    const { signing_secret } = await record(id);
    await pass(HOUR_MS);
    const [request] = receiver.received;
    const { timestamp } = JSON.parse(request?.rawBody ?? '');
    const headers = Object.fromEntries(
      Object.entries(request?.headers ?? {}).map(([name, value]) => [name, `${value}`]),
    );
    const at = Number(headers['webhook-timestamp']);
    const signature = new Webhook(signing_secret).sign(
      String(headers['webhook-id']),
      new Date(at * 1_000),
      request?.rawBody ?? '',
    );
    assert.equal(headers['webhook-signature'], signature);
    const { type, data } = JSON.parse(request?.rawBody ?? '');
    assert.equal(type, 'trigger.test');
    assert.equal(timestamp, new Date(clock.now()).toISOString());
    assert.deepEqual([data.test, data.probe, data.sensor.name], [true, true, 'cold store']);
    assert.match(data.text, /^This is a probe: nothing has happened\. It comes every 1 h/);
    const { deliveries } = (await user.api.get(`/deliveries?notification_id=${id}`)).body;
    assert.deepEqual([deliveries.length, deliveries[0].probe, deliveries[0].status], [1, true, 'delivered']);
    assert.equal((await user.api.post(`/notifications/${id}/test?wait=0`)).body.delivery.probe, false);
    await platform.settle();
    assert.equal(receiver.received.at(-1)?.rawBody.includes('probe'), false);
  });

  it('come once after an outage, and then a period later', async () => {
    await build();
    assert.equal(await cameAfter(10.5 * HOUR_MS), 1);
    assert.equal(await cameAfter(HOUR_MS - 1), 1);
    assert.equal(await cameAfter(1), 2);
  });

  it('follow a changed period, and end when they are removed', async () => {
    const id = await build();
    await pass(HOUR_MS / 2);
    await change(id, { probe: 2 * HOUR_S });
    await change(id, { probe: 2 * HOUR_S, text: 'hotter' });
    assert.equal(await cameAfter(2 * HOUR_MS - 1), 0);
    assert.equal(await cameAfter(1), 1);
    await change(id, { probe: null });
    assert.equal(await cameAfter(5 * HOUR_MS), 1);
  });

  it('are not sent while the notification is disabled, nor after it or the account was deleted', async () => {
    const id = await build();
    await change(id, { enabled: false });
    assert.equal(await cameAfter(3.5 * HOUR_MS), 0);
    assert.equal((await user.api.get(`/deliveries?notification_id=${id}`)).body.deliveries.length, 0);
    await change(id, { enabled: true });
    assert.equal(await cameAfter(HOUR_MS), 1);
    await user.api.delete(`/notifications/${id}`);
    await build();
    assert.equal((await user.api.delete(`/users/${user.id}`)).status, 200);
    assert.equal(await cameAfter(3 * HOUR_MS), 1);
  });

  it('fail when the notification is disabled while they wait for a retry', async () => {
    const id = await build();
    receiver.responses.push(503);
    await pass(HOUR_MS);
    await change(id, { enabled: false });
    await platform.settle();
    const [delivery] = (await user.api.get(`/deliveries?notification_id=${id}`)).body.deliveries;
    assert.deepEqual([delivery.status, receiver.received.length], ['failed', 1]);
    assert.equal((await user.api.post(`/deliveries/${delivery.id}/redeliver`)).status, 409);
  });

  it('are retried like alerts, and the next one waits for the end of the last', async () => {
    const id = await build();
    receiver.responses.push(503, 503, 503, 503, 503, 503);
    await pass(HOUR_MS);
    for (let minute = 0; minute < 118; minute += 1) await pass(60_000);
    const { deliveries } = (await user.api.get(`/deliveries?notification_id=${id}`)).body;
    assert.deepEqual([deliveries.length, deliveries[0].status], [1, 'delivered']);
    assert.equal(receiver.received.length, 7);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
  });

  it('that fail for good raise an event each, and a mail once until something arrives', async () => {
    const id = await build();
    await subscribe(user, events.url, 'probe_failed');
    const fail = async () => {
      receiver.responses.push(410);
      await pass(HOUR_MS);
    };
    await fail();
    await fail();
    const raised = events.received.map(({ form }) => [form.event, form.subject_id]);
    assert.deepEqual(raised, Array(2).fill(['probe_failed', id]));
    const [mail, ...more] = await mails();
    assert.match(mail ?? '', new RegExp(`^Subject: A probe of notification ${id} failed\\r$`, 'm'));
    assert.deepEqual(more, []);
    await pass(HOUR_MS);
    await fail();
    assert.deepEqual([events.received.length, (await mails()).length], [3, 2]);
  });

  it('count for the health of the notification', async () => {
    const id = await build({ probe: 24 * HOUR_S });
    for (let day = 0; day < 6; day += 1) {
      receiver.responses.push(410);
      await pass(24 * HOUR_MS);
    }
    assert.equal((await record(id)).disabled_reason, 'failing');
    assert.equal(await cameAfter(48 * HOUR_MS), 6);
  });

  it('prove the destination, as every delivery that arrives there does', async () => {
    const { sensorId, notificationIds } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 30' },
      notifications: [{ type: 'url', destination: receiver.url, text: 'hot', probe: HOUR_S }],
    });
    const id = String(notificationIds[0]);
    const proven = async () => (await record(id)).last_proven;
    receiver.responses.push(410);
    await pass(HOUR_MS);
    assert.equal(await proven(), null);
    await pass(HOUR_MS);
    const probedS = clock.now() / 1_000;
    assert.equal(await proven(), probedS);
    clock.advance(600_000);
    await upload(user, sensorId, { value: 31, date: clock.now() / 1_000 });
    await platform.settle();
    assert.equal(await proven(), probedS + 600);
    await change(id, { destination: `${receiver.url}/new` });
    assert.equal(await proven(), null);
    const all = (await user.api.get('/notifications')).body.notifications;
    assert.deepEqual([all[0].probe, all[0].last_proven], [HOUR_S, null]);
  });

  it('by mail are mails with a subject of their own, to recipients who want them', async () => {
    const id = await build({ type: 'email', destination: `${user.username}@example.org`, text: '' });
    await platform.query('UPDATE notifications SET confirmed = FALSE WHERE id = ?', [id]);
    await pass(HOUR_MS);
    assert.deepEqual(await mails(), []);
    await platform.query('UPDATE notifications SET confirmed = TRUE WHERE id = ?', [id]);
    await pass(HOUR_MS);
    const [mail, ...more] = await mails();
    assert.match(mail ?? '', /^Subject: Probe of a notification\r$/m);
    assert.match(mail ?? '', /This is a probe: nothing has happened/);
    assert.deepEqual(more, []);
    assert.equal((await record(id)).last_proven, clock.now() / 1_000);
  });
});

describe('probes by mail', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { MAIL_PER_USER_HOUR: '2' } });
  const user = useUserPerTest(platform);

  it('keep to the limits of mails, and wait for the next hour', async () => {
    for (let index = 0; index < 3; index += 1) {
      await buildNotification(user, { type: 'email', destination: `ward${index}@example.org`, probe: HOUR_S });
    }
    const statuses = async () => {
      await platform.settle();
      const { deliveries } = (await user.api.get('/deliveries')).body;
      return deliveries.map(({ status }: { status: string }) => status).sort();
    };
    clock.advance(HOUR_MS);
    assert.deepEqual(await statuses(), ['delivered', 'delivered', 'pending']);
    await platform.query('UPDATE notifications SET probe_s = NULL, probe_due_ms = NULL');
    clock.advance(HOUR_MS + 60_000);
    assert.deepEqual(await statuses(), ['delivered', 'delivered', 'delivered']);
  });
});
