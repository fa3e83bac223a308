import assert from 'node:assert/strict';
import { LoadRecorder } from '../../../src/operators/load-recorder';
import { createLogger } from '../../../src/platform/logger';
import { RecentCounts } from '../../../src/platform/recent-counts';
import { buildAlarms } from '../../support/alarm';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  create,
  upload,
} from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

const OPERATOR = { Authorization: `Basic ${Buffer.from('operator:board-password').toString('base64')}` };
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe('the load of the last day', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { DIGEST_AFTER: '1' } });
  const user = useUser(platform);
  const receiver = useReceiver();

  const otherProcess = () => {
    const counts = new RecentCounts();
    const { database } = platform.container;
    return { counts, recorder: new LoadRecorder(database, clock, counts, createLogger('silent', 'test')) };
  };
  const startOfMinute = () => clock.advance(MINUTE_MS - (clock.now() % MINUTE_MS));
  const latest = async () => {
    const { of } = await platform.container.services.operations.loadOfDay();
    return (name: Parameters<typeof of>[0]) => of(name).at(-1);
  };

  it('adds up the counts of all processes, and is sampled once for each minute by any number of them', async () => {
    const { loadRecorder: own } = platform.container;
    startOfMinute();
    const sensor = await buildSensor(user, { data_type: 'float' });
    const trigger = await buildTrigger(user);
    await connectTrigger(user, sensor, trigger);
    const notification = await buildNotification(user, { destination: receiver.url });
    await connectNotification(user, sensor, trigger, notification);
    receiver.responses.push(500);
    await upload(user, sensor, { value: 31 });
    await platform.settle();
    clock.advance(10_000);
    await platform.settle();
    const [first, second] = [otherProcess(), otherProcess()];
    first.counts.addPoints(Number(user.id), 41);
    for (const status of [200, 404, 429, 503, 429, 500]) first.counts.addResponse(status);
    await Promise.all([own, first.recorder, second.recorder].map((recorder) => recorder.addCounts()));
    await Promise.all([own, first.recorder, second.recorder].map((recorder) => recorder.addCounts()));
    clock.advance(MINUTE_MS);
    const sampled = await Promise.all([own, first.recorder, second.recorder].map((recorder) => recorder.sample()));
    assert.equal(sampled.filter(Boolean).length, 1, String(sampled));
    assert.equal(await own.sample(), false);
    const value = await latest();
    assert.deepEqual(
      [value('points'), value('refused_429'), value('refused_503'), value('delivered'), value('failed_attempts')],
      [42, 2, 1, 1, 1],
    );
    assert.ok(Number(value('latency_p50')) >= 10_000, String(value('latency_p50')));
    assert.equal(value('latency_max'), value('latency_p50'));
    assert.equal(value('waiting_points'), 0);
    const [hours] = await platform.query('SELECT points, deliveries FROM user_hours WHERE user_id = ?', [user.id]);
    assert.deepEqual({ ...hours }, { points: 42, deliveries: 1 });
  });

  it('measures no delivery that waits on purpose, such as a digest', async () => {
    startOfMinute();
    const { sensorIds } = await buildAlarms(user, {
      sensors: Array.from({ length: 4 }, (_, at) => ({ name: `freezer ${at}` })),
      trigger: { name: 'too warm' },
      notifications: [{ destination: receiver.url, digest: true }],
    });
    const data = sensorIds.map((sensor_id) => ({ sensor_id, data: [{ value: 31 }] }));
    await create(user, '/sensors/data', { sensors: data });
    await platform.settle();
    clock.advance(MINUTE_MS);
    await platform.settle();
    clock.advance(MINUTE_MS + 10_000);
    assert.equal(await platform.container.loadRecorder.sample(), true);
    const value = await latest();
    assert.deepEqual([value('delivered'), value('latency_p50')], [1, null], 'a digest is one delivery');
  });

  it('counts a digest that failed as one delivery: in the chart, in the list, and when it is sent again', async () => {
    startOfMinute();
    const { sensorIds } = await buildAlarms(user, {
      sensors: Array.from({ length: 4 }, (_, at) => ({ name: `fridge ${at}` })),
      trigger: { name: 'too warm' },
      notifications: [{ destination: receiver.url, digest: true }],
    });
    const data = sensorIds.map((sensor_id) => ({ sensor_id, data: [{ value: 31 }] }));
    await create(user, '/sensors/data', { sensors: data });
    await platform.settle();
    receiver.received.length = 0;
    receiver.responses.push(410);
    clock.advance(MINUTE_MS);
    await platform.settle();
    const { deliveryGroups } = platform.container.services.operations;
    const group = { receiver: new URL(receiver.url).host };
    const counts = async () => (await deliveryGroups.causes(group, 50)).map(({ count }) => count);
    assert.deepEqual(await counts(), [1]);
    const page = String((await platform.anonymous.get('/admin', OPERATOR)).body);
    assert.match(page, /<h2>Deliveries that failed for good<\/h2>.*permanently gone.*<td class="number">1<\/td>/s);
    clock.advance(MINUTE_MS + 10_000);
    assert.equal(await platform.container.loadRecorder.sample(), true);
    assert.equal((await latest())('failed_attempts'), 1);
    const again = await deliveryGroups.redeliver(group, { limit: 10, isTrial: false });
    assert.deepEqual(again, { matched: 1, redelivered: 1 });
    await platform.settle();
    assert.equal(receiver.received.length, 2);
    assert.match(receiver.received[1]?.form.text ?? '', /^3 more alerts/);
    assert.deepEqual(await counts(), []);
  });

  it('covers whole hours since the first sample, at most a day', async () => {
    const { hours, of } = await platform.container.services.operations.loadOfDay();
    assert.deepEqual([hours, of('points').length], [1, 60]);
  });

  it('shows nothing rather than 0 for minutes in which nothing was sampled, and keeps counts that it could not store', async () => {
    clock.advance(10 * MINUTE_MS);
    const value = await latest();
    assert.deepEqual([value('points'), value('waiting_points')], [null, null]);
    const { counts, recorder } = otherProcess();
    await platform.query('RENAME TABLE user_hours TO user_hours_away');
    counts.addPoints(Number(user.id), 7);
    await assert.rejects(recorder.addCounts());
    await platform.query('RENAME TABLE user_hours_away TO user_hours');
    await recorder.addCounts();
    await recorder.addCounts();
    clock.advance(MINUTE_MS);
    assert.equal((await latest())('points'), 7);
  });

  it('is on the page of operators as charts and tables, with no script but for local times', async () => {
    const { status, body } = await platform.anonymous.get('/admin', OPERATOR);
    assert.equal(status, 200);
    const page = String(body);
    assert.equal(page.match(/<figure class="chart">/g)?.length, 6);
    const scripts = [...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    assert.equal(scripts.length, 1);
    assert.match(scripts[0] ?? '', /^<script src="\.\/pages\/local-times\.js\?v=\w+" defer>$/);
    assert.doesNotMatch(page, /NaN|undefined| style=/);
    assert.match(page, /a proxy must hide it/);
  });

  it('is deleted after two days', async () => {
    clock.advance(3 * DAY_MS);
    await platform.container.purge.run();
    for (const table of ['minute_samples', 'user_hours'])
      assert.deepEqual(await platform.query(`SELECT * FROM ${table}`), [], table);
  });
});
