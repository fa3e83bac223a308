import assert from 'node:assert/strict';
import { PausedReceivers } from '../../../src/notifications/delivery/paused-receivers';
import { buildAlarms } from '../../support/alarm';
import { buildNotification, buildTrigger, connectNotification, connectTrigger, create } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { Mailbox } from '../../support/mailbox';

const SENSORS = 10;
const PER_HOUR = 4;
const MINUTE_MS = 60_000;
const WARD = 'ward@example.org';
const OPERATOR = { Authorization: `Basic ${Buffer.from('operator:board-password').toString('base64')}` };

describe('alerts beyond a limit', () => {
  const mailbox = Mailbox.use();
  const clock = fakeClock();
  const platform = usePlatform(() => ({
    clock,
    config: {
      ...mailbox.settings,
      MAIL_PER_ADDRESS_HOUR: String(PER_HOUR),
      MAIL_CONFIRMATION: 'off',
      DELIVERY_RECEIVER_CONCURRENCY: '1',
    },
  }));
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  beforeEach(async () => {
    receiver.responses.length = 0;
    // What an earlier test has left arrives now.
    await pass(2 * 3_600_000 + 137);
    await pass(MINUTE_MS);
    receiver.received.length = 0;
    mailbox.mails.length = 0;
    clock.advance(2 * 3_600_000);
  });

  const build = async (fields: Record<string, unknown>, notification: Record<string, unknown> = {}) => {
    const sensors = Array.from({ length: SENSORS }, (_, index) => ({ name: `freezer ${index}` }));
    const trigger = {
      name: 'too warm',
      expression: 'sensor_data_value > 0',
      notify_resolved: true,
      repeat: 0,
      ...fields,
    };
    const notifications = [{ type: 'email', destination: WARD, ...notification }];
    const built = await buildAlarms(user, { sensors, trigger, notifications });
    return { sensors: built.sensorIds, notification: built.notificationIds[0] ?? '' };
  };
  const upload = async (sensors: readonly string[], value: number) => {
    const date = clock.now() / 1000;
    await create(user, '/sensors/data', {
      sensors: sensors.map((sensor_id) => ({ sensor_id, data: [{ value, date }] })),
    });
    await platform.settle();
  };
  const pass = async (ms: number) => {
    clock.advance(ms);
    await platform.settle();
  };
  /** Lets the reconciler wake what has a permit, until nothing has one. */
  const wake = async () => {
    const { runner, receivers } = platform.container.delivery;
    for (let nudges = await receivers.wakeAll(); nudges.length > 0; nudges = await receivers.wakeAll()) {
      await runner.start(nudges);
      await platform.settle();
    }
  };
  const get = async (path: string) => (await user.api.get(path)).body;
  /** The lines of the newest digest. */
  const newestLines = async (): Promise<string[]> => {
    const list = (await get('/deliveries?sort=DESC&per_page=1000')).deliveries;
    return list.find(({ is_digest }: { is_digest: boolean }) => is_digest).text.match(/^- .*$/gm);
  };
  const subjects = () => mailbox.mails.map(({ text }) => /^Subject: (.*?)\r?$/m.exec(text)?.[1] ?? '');

  it('of mails an hour go out in one mail a minute, and say why they wait', async () => {
    const { sensors, notification } = await build({ severity: 'critical' });
    await upload(sensors, 5);
    assert.equal(mailbox.mails.length, PER_HOUR);
    const { waiting } = (await get(`/notifications/${notification}`)).notification;
    assert.equal(waiting.reason, `the hourly limit of ${PER_HOUR} mails to ${WARD} is reached`);
    assert.equal(waiting.count, SENSORS - PER_HOUR);
    assert.ok(waiting.until * 1000 > clock.now() && waiting.until * 1000 <= clock.now() + MINUTE_MS);
    const pending = (await get('/deliveries?status=pending&aggregated=true')).deliveries;
    assert.equal(pending.length, SENSORS - PER_HOUR);
    for (const one of pending) assert.deepEqual(one.waiting, waiting);
    await pass(MINUTE_MS);
    for (const [value, shown] of [
      [-5, ': resolved'],
      [6, ': 6'],
    ] as const) {
      await pass(2 * MINUTE_MS);
      await upload(sensors, value);
      await pass(MINUTE_MS);
      assert.equal((await newestLines()).filter((line) => line.endsWith(shown)).length, SENSORS);
    }
    const [beyond, ends, again, ...others] = subjects().slice(PER_HOUR);
    assert.match(beyond ?? '', /^Critical: 6 more alerts: too warm on freezer \d and others$/);
    assert.match(ends ?? '', /^Critical: 10 more alerts: too warm on freezer \d and others$/);
    assert.deepEqual([again, others], [ends, []]);
    assert.deepEqual((await get('/deliveries?status=pending')).deliveries, []);
    assert.equal((await get(`/notifications/${notification}`)).notification.waiting, null);
  });

  it('of one minute are listed with critical firings first and ends last', async () => {
    const { sensors, notification } = await build({ severity: 'critical' });
    const info = await buildTrigger(user, {
      name: 'door open',
      expression: 'sensor_data_value > 20',
      severity: 'info',
    });
    for (const sensor of sensors) {
      await connectTrigger(user, sensor, info);
      await connectNotification(user, sensor, info, notification);
    }
    const [first = '', ...others] = sensors;
    for (let index = 0; index < PER_HOUR; index += 1) {
      await upload([first], index % 2 === 0 ? 5 : -5);
      await pass(2 * MINUTE_MS);
    }
    await upload(others.slice(0, 3), 5);
    await pass(2 * MINUTE_MS);
    await upload(others.slice(0, 3), -5);
    await upload(others.slice(3), 25);
    await pass(MINUTE_MS);
    const lines = await newestLines();
    const kinds = lines.map((line) => (line.includes('resolved') ? 'end' : line.slice(2, 10)));
    assert.deepEqual(kinds, [...Array(6).fill('too warm'), ...Array(6).fill('door ope'), ...Array(3).fill('end')]);
  });

  it('are reported by another channel when critical ones wait for five minutes, once', async () => {
    const url = { type: 'url', destination: receiver.url, name: 'on call' };
    const { sensors, notification } = await build({ severity: 'critical' }, url);
    const second = await buildNotification(user, { type: 'email', destination: WARD, text: '' });
    const fields = { name: 'late', event: 'notification_failing', notification_id: second };
    await user.api.post('/events/notifications', { event_notification: fields });
    const { sensors: mild } = await build({ severity: 'warning' }, url);
    receiver.responses.push(...Array(100).fill(503));
    await upload([...sensors.slice(0, 3), ...mild], 5);
    await pass(4 * MINUTE_MS);
    assert.deepEqual(mailbox.mails, []);
    await pass(MINUTE_MS);
    await pass(MINUTE_MS);
    const [mail = '', ...more] = mailbox.to(WARD);
    assert.deepEqual(more, []);
    const words = `Notification ${notification}: 3 deliveries wait (3 critical): attempt 2 failed: the receiver answered 503`;
    assert.ok(mail.includes(words), mail);
    const own = mailbox.to(`${user.username}@example.org`);
    assert.match(own[0] ?? '', /^Subject: Critical alerts of notification \d+ wait\r$/m);
    const { waiting } = (await get(`/notifications/${notification}`)).notification;
    assert.deepEqual([waiting.reason, waiting.count], ['attempt 3 failed: the receiver answered 503', 3]);
  });

  it('of a receiver that asks for fewer requests wait for it, and name it', async () => {
    const { sensors, notification } = await build({}, { type: 'url', destination: `${receiver.url}/limited` });
    const received = () => receiver.received.filter(({ path }) => path.includes('limited')).length;
    receiver.responses.push(429);
    await upload(sensors.slice(0, 1), 5);
    await upload(sensors.slice(1), 5);
    await wake();
    assert.equal(received(), 1, 'the others do not ask');
    const waiting = (await get(`/deliveries?status=pending&notification_id=${notification}&sort=DESC`)).deliveries;
    assert.equal(waiting.length, SENSORS);
    assert.match(waiting[0].waiting.reason, /^the receiver 127\.0\.0\.1:\d+ asks for fewer requests \(429\)$/);
    assert.equal(waiting.at(-1).waiting.reason, 'attempt 1 failed: the receiver answered 429');
    assert.deepEqual([waiting[0].waiting.count, waiting[0].waiting.until], [SENSORS, waiting[0].next_attempt]);
    await pass(10_000);
    assert.equal(received(), SENSORS + 1);
  });

  it('of a paused receiver say who has paused it and why', async () => {
    const { sensors, notification } = await build({}, { type: 'url', destination: receiver.url });
    const { host } = new URL(receiver.url);
    const paused = new PausedReceivers(platform.container.database.pool, clock);
    await paused.pause(host, 'it moves');
    await upload(sensors, 5);
    const { waiting } = (await get(`/notifications/${notification}`)).notification;
    const page = String((await platform.anonymous.get('/admin', OPERATOR)).body);
    assert.ok(page.includes('Why deliveries wait') && page.includes(`the operator has paused ${host}: it moves`), page);
    assert.deepEqual(waiting, { reason: `the operator has paused ${host}: it moves`, until: null, count: SENSORS });
    await paused.resume(host);
  });

  it('of a mail server that was away for a minute go out in one mail when it is back', async () => {
    const { sensors } = await build({ severity: 'critical' });
    const paused = new PausedReceivers(platform.container.database.pool, clock);
    await paused.pause('smtp', '');
    await upload(sensors, 5);
    await pass(MINUTE_MS);
    assert.deepEqual(subjects(), []);
    await paused.resume('smtp');
    await wake();
    await pass(1_000);
    const [first = '', ...others] = subjects();
    assert.match(first, /^Critical: 10 more alerts: too warm on freezer \d and others$/);
    assert.deepEqual(others, []);
  });
});
