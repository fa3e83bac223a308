import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Alarm, buildAlarm } from '../../support/alarm';
import { buildNotification, buildSensor, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser, useUserPerTest } from '../../support/hooks';

import { subscribe } from '../../support/subscribe';

const DAY_MS = 86_400_000;

describe('a failing destination', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const events = useReceiver();
  const user = useUserPerTest(platform);
  let alarm: Alarm;
  let path: string;

  beforeEach(async () => {
    alarm = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 30' },
      notifications: [{ type: 'url', destination: receiver.url, text: 'hot' }],
    });
    path = `/notifications/${alarm.notificationIds[0]}`;
  });

  const record = async () => (await user.api.get(path)).body.notification;
  const isOn = async () => (await record()).enabled;
  const deliveries = async () =>
    (await user.api.get(`/deliveries?notification_id=${alarm.notificationIds[0]}`)).body.deliveries;
  /** Fires after a pause; the receiver responds with these statuses. */
  const fire = async (pauseMs: number, ...statuses: number[]) => {
    clock.advance(pauseMs);
    receiver.responses.push(...statuses);
    await upload(user, alarm.sensorId, { value: 31, date: clock.now() / 1000 });
    await platform.settle();
  };
  /** The mails from the platform to this user. */
  const mails = async () => {
    const outbox = join(platform.container.config.dataDir, 'outbox');
    const files = await readdir(outbox).catch(() => []);
    const texts = await Promise.all(files.map((file) => readFile(join(outbox, file), 'utf8')));
    return texts.filter((text) => text.includes(`To: ${user.username}@example.org`));
  };

  const subjects = async () => (await mails()).map((mail) => /^Subject: (.*)\r$/m.exec(mail)?.[1]).sort();

  it('is announced to its owner half-way to that, once until a delivery arrives', async () => {
    await subscribe(user, events.url, 'notification_failing');
    const number = alarm.notificationIds[0];
    const raised = () => events.received.map(({ form }) => [form.event, form.subject_id]);
    await fire(0, 410);
    await fire(2.5 * DAY_MS - 1, 410);
    assert.deepEqual([raised(), await subjects()], [[], []]);
    await fire(60_000, 410);
    const once = [['notification_failing', number]];
    assert.deepEqual([raised(), await subjects()], [once, [`Notification ${number} is failing`]]);
    for (let hour = 0; hour < 5; hour += 1) await fire(3_600_000, 410);
    assert.deepEqual([raised(), (await subjects()).length, await isOn()], [once, 1, true]);
    await fire(3_600_000, 200);
    await fire(3_600_000, 410);
    await fire(2.5 * DAY_MS, 410);
    assert.deepEqual([raised().length, (await subjects()).length], [2, 2]);
  });

  it('is switched off when a delivery fails permanently after five days, and its owner is notified by mail and by events', async () => {
    await subscribe(user, events.url, 'delivery_failed');
    await subscribe(user, events.url, 'update_notification');
    await fire(0, 410);
    await fire(5 * DAY_MS - 1, 410);
    assert.equal(await isOn(), true);
    const number = alarm.notificationIds[0];
    assert.deepEqual(await subjects(), [`Notification ${number} is failing`]);
    await fire(60_001, 410);
    const { enabled, disabled_reason } = await record();
    assert.deepEqual([enabled, disabled_reason], [false, 'failing']);
    assert.deepEqual(await subjects(), [
      `Notification ${number} is failing`,
      `Notification ${number} was switched off`,
    ]);
    for (const mail of await mails()) assert.ok(mail.includes(receiver.url));
    const names = events.received.map(({ form }) => form.event);
    assert.deepEqual(names, ['delivery_failed', 'delivery_failed', 'update_notification', 'delivery_failed']);
    assert.equal(events.received[2]?.form.subject_id, alarm.notificationIds[0]);
  });

  it('stays on when attempts fail but the delivery still has some left', async () => {
    await fire(0, 500);
    await fire(6 * DAY_MS, 500, 500);
    assert.equal(await isOn(), true);
  });

  it('gets five more days with every delivery that arrives', async () => {
    await fire(0, 410);
    await fire(4 * DAY_MS, 200);
    await fire(4 * DAY_MS, 410);
    await fire(4 * DAY_MS, 410);
    assert.equal(await isOn(), true);
    await user.api.post(`${path}/test?wait=0`);
    await platform.settle();
    await fire(4 * DAY_MS, 410);
    assert.equal(await isOn(), true);
    await fire(5 * DAY_MS, 410);
    assert.equal(await isOn(), false);
  });

  it('gets five days of its own after it was changed', async () => {
    await fire(0, 410);
    await user.api.put(path, { notification: { destination: `${receiver.url}/new` } });
    await fire(6 * DAY_MS, 410);
    assert.equal(await isOn(), true);
    await user.api.put(path, { notification: { text: 'hotter' } });
    await fire(5 * DAY_MS, 410);
    assert.equal(await isOn(), false);
  });

  const switchOff = async () => {
    await fire(0, 410);
    await fire(5 * DAY_MS, 410);
    assert.equal(await isOn(), false);
    receiver.received.length = 0;
  };

  it('gets no more deliveries once it is switched off, and pending ones fail at once', async () => {
    await fire(0, 410);
    await fire(5 * DAY_MS, 503);
    const waiting = (await deliveries()).findLast(({ type }: { type: string }) => type === 'url');
    assert.equal(waiting.status, 'pending');
    await fire(60_000, 503, 410);
    assert.equal(await isOn(), false);
    const after = (await user.api.get(`/deliveries/${waiting.id}`)).body.delivery;
    assert.equal(after.status, 'failed');
    assert.equal(after.attempts.at(-1).error, 'the notification is switched off (failing)');
    const count = (await deliveries()).length;
    await fire(60_000);
    assert.equal((await deliveries()).length, count);
    const { firings } = (await user.api.get(`/sensors/${alarm.sensorId}/triggers/${alarm.triggerId}/firings`)).body;
    assert.equal(firings.length, 4, 'the trigger fires all the same');
    const again = await user.api.post(`/deliveries/${waiting.id}/redeliver`);
    assert.deepEqual([again.status, again.body.code], [409, 'conflict']);
  });

  it('can be tested and switched on again', async () => {
    await switchOff();
    const { id } = (await user.api.post(`${path}/test?wait=0`)).body.delivery;
    await platform.settle();
    assert.equal((await user.api.get(`/deliveries/${id}`)).body.delivery.status, 'delivered');
    assert.equal(await isOn(), false);
    const response = await user.api.put(path, { notification: { enabled: 1 } });
    const { enabled, disabled_reason } = response.body.notification;
    assert.deepEqual([response.status, enabled, disabled_reason], [200, true, '']);
    await fire(60_000, 410);
    assert.equal(await isOn(), true, 'earlier failures do not count');
    assert.equal(receiver.received.length, 2);
  });

  it('gets no events either until it is switched on again', async () => {
    const { notificationId } = await subscribe(user, events.url, 'add_sensor');
    await user.api.put(`/notifications/${notificationId}`, { notification: { enabled: false } });
    await buildSensor(user);
    await platform.settle();
    assert.equal(events.received.length, 0);
    await user.api.put(`/notifications/${notificationId}`, { notification: { enabled: 'true' } });
    await buildSensor(user);
    await platform.settle();
    assert.equal(events.received.length, 1);
  });

  it('can be switched off, with all pending deliveries, only by its owner', async () => {
    const stranger = await platform.user();
    assert.equal((await stranger.api.put(path, { notification: { enabled: 0 } })).status, 404);
    await fire(0, 503);
    const response = await user.api.put(path, { notification: { enabled: 0 } });
    assert.deepEqual(
      [response.body.notification.enabled, response.body.notification.disabled_reason],
      [false, 'owner'],
    );
    await platform.settle();
    assert.equal((await deliveries()).at(-1).status, 'failed');
    assert.deepEqual(await mails(), []);
    assert.equal((await user.api.put(path, { notification: { enabled: 'maybe' } })).status, 400);
  });
});

describe('an unreachable mail server', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  const user = useUser(platform);

  it('switches off no notification, as its destinations are not at fault', async () => {
    const { api } = user;
    const notification = { type: 'email', destination: 'ward@example.org', text: 'hello' };
    const id = await buildNotification(user, notification);
    for (let round = 0; round < 2; round += 1) {
      await api.post(`/notifications/${id}/test?wait=0`);
      for (let day = 0; day < 12; day += 1) {
        await platform.settle();
        clock.advance(DAY_MS);
      }
    }
    const { deliveries } = (await api.get('/deliveries')).body;
    for (const { status, attempts } of deliveries) {
      assert.deepEqual([status, attempts.length, attempts[0].error], ['failed', 10, 'connection refused']);
    }
    assert.equal(deliveries.length, 2);
    assert.equal((await api.get(`/notifications/${id}`)).body.notification.enabled, true);
  });
});
