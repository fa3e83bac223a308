import assert from 'node:assert/strict';
import { Standstills } from '../../../src/notifications/delivery/standstill';
import { runOn } from '../../../src/storage/transaction';
import { buildAlarm, buildAlarms } from '../../support/alarm';
import { upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';

const WORKER = 'the-worker';
const NO_WORKER = 'no worker runs: data is stored, but nothing is evaluated and nothing is sent';
const OPERATOR = { Authorization: `Basic ${Buffer.from('operator:board-password').toString('base64')}` };

describe('a platform without any worker', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { DIGEST_AFTER: '1' } });
  const user = useUserPerTest(platform);
  const receiver = useReceiver();
  const workers = () => platform.container.workerCount;
  beforeEach(() => workers().leave(WORKER));

  const list = async () => (await user.api.get('/notifications')).body;
  const alarm = (trigger: Record<string, unknown>, notification: Record<string, unknown> = {}) =>
    buildAlarm(user, { trigger, notifications: [{ destination: receiver.url, ...notification }] });
  const send = (sensorId: string, value = 31) => upload(user, sensorId, { value, date: clock.now() / 1000 });
  const admin = async () => (await fetch(`${platform.url}/admin`, { headers: OPERATOR })).text();

  it('says so while points of the user wait, since when, and to the operator, and nothing while one runs', async () => {
    const { sensorId } = await alarm({ expression: 'sensor_data_value > 30' });
    assert.equal('standstill' in (await list()), false, 'nothing waits');
    const since = clock.now() / 1000;
    await send(sensorId);
    assert.equal('standstill' in (await list()), false, 'nothing is overdue');
    clock.advance(60_000);
    assert.deepEqual((await list()).standstill, { reason: NO_WORKER, since });
    assert.match(
      await admin(),
      /No worker runs: data is stored.*The oldest that waits: [\s\S]*<h2>The last /,
      'above all else',
    );
    await workers().announce(WORKER);
    assert.equal('standstill' in (await list()), false, 'a worker runs');
    assert.doesNotMatch(await admin(), /No worker runs/);
    await workers().leave(WORKER);
    await platform.settle();
    assert.equal(receiver.received.length, 1);
    clock.advance(60_000);
    assert.equal('standstill' in (await list()), false, 'all is done');
  });

  it('says so while an inactivity is due that the clock decides', async () => {
    const { sensorId } = await alarm({ inactivity: 60 });
    await send(sensorId);
    await platform.settle();
    const due = clock.now() / 1000 + 60;
    clock.advance(120_000);
    assert.deepEqual((await list()).standstill, { reason: NO_WORKER, since: due });
  });

  it('says so at a digest that is due, and at its notification', async () => {
    const { sensorIds } = await buildAlarms(user, {
      sensors: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
      trigger: { expression: 'sensor_data_value > 30' },
      notifications: [{ destination: receiver.url, digest: true }],
    });
    for (const sensorId of sensorIds) await send(sensorId);
    await platform.settle();
    const pending = async () => (await user.api.get('/deliveries?status=pending')).body.deliveries;
    assert.notEqual((await pending()).length, 0, 'a digest is planned');
    clock.advance(3 * 60_000);
    const { notifications, standstill } = await list();
    assert.equal(notifications[0].waiting.reason, NO_WORKER);
    assert.equal(standstill.reason, NO_WORKER);
    for (const { waiting } of await pending()) assert.equal(waiting.reason, NO_WORKER);
  });

  it('says so at a delivery whose lease ended with its worker', async () => {
    const { sensorId } = await alarm({ expression: 'sensor_data_value > 30' });
    await send(sensorId);
    await platform.settle();
    await platform.query(
      "UPDATE deliveries SET status = 'pending', attempts = 0, next_attempt_ms = ?, lease = 7, lease_until_ms = ? WHERE owner_id = ?",
      [clock.now(), clock.now() + 8_000, user.id],
    );
    clock.advance(60_000);
    const waiting = async () => (await list()).notifications[0].waiting;
    assert.deepEqual(await waiting(), { reason: NO_WORKER, until: null, count: 1 });
    await workers().announce(WORKER);
    assert.deepEqual(await waiting(), { reason: 'no worker has attempted it yet', until: null, count: 1 });
    await workers().leave(WORKER);
    await platform.query('UPDATE deliveries SET lease = NULL, lease_until_ms = NULL WHERE owner_id = ?', [user.id]);
    await platform.settle();
  });

  it('is distinguished from a Redis that does not answer', async () => {
    const { sensorId } = await alarm({ expression: 'sensor_data_value > 30' });
    await send(sensorId);
    clock.advance(60_000);
    const away = new Standstills({ count: async () => undefined }, runOn(platform.container.database.pool));
    const found = await away.of(Number(user.id), clock.now());
    assert.match(found?.reason ?? '', /^Redis does not answer: data is stored/);
    await platform.settle();
  });
});
