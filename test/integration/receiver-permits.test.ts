import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { LEASE_MS } from '../../src/notifications/delivery/leases';
import { buildNotification, buildSensor } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { connectOtherClient } from '../support/other-client';
import { type Receiver, startReceiver } from '../support/receiver';
import { until } from '../support/until';

const PER_RECEIVER = 3;

describe('the permits of a receiver', () => {
  const clock = fakeClock();
  const config = { DELIVERY_RECEIVER_CONCURRENCY: String(PER_RECEIVER), DELIVERY_CONCURRENCY: '4' };
  const platform = usePlatform({ clock, config });
  const user = useUserPerTest(platform);
  let receiver: Receiver;
  /** Requests that the receiver has not answered yet. */
  let held: ServerResponse[];
  let notificationId: string;

  beforeEach(async () => {
    [receiver, held] = [await startReceiver(), []];
    notificationId = await buildNotification(user, { destination: receiver.url });
    const hold = (response: ServerResponse) => void held.push(response);
    receiver.responses.push(...Array.from({ length: 100 }, () => hold));
  });
  afterEach(async () => {
    await receiver.close();
    await platform.query('DELETE FROM deliveries');
    await platform.query('DELETE FROM degraded_receivers');
    await platform.container.queues.deliveries.obliterate({ force: true });
  });

  const make = async (count: number): Promise<number[]> => {
    const ids: number[] = [];
    while (ids.length < count) {
      ids.push(Number((await user.api.post(`/notifications/${notificationId}/test?wait=0`)).body.delivery.id));
    }
    return ids;
  };
  const attempt = (id: number) => platform.container.delivery.runner.attempt(id);
  const throttled = async () =>
    (
      await platform.query('SELECT delivery_id AS id FROM throttled_deliveries ORDER BY priority_rank, delivery_id')
    ).map(({ id }) => id);
  const enqueued = async () =>
    (await platform.container.queues.deliveries.getJobs(['prioritized', 'waiting'])).map(({ data }) => data.deliveryId);

  it('are never exceeded when many workers request one at the same time', async () => {
    const ids = await make(30);
    const attempts = ids.map(attempt);
    await receiver.waitFor(PER_RECEIVER);
    await until('all others are throttled', async () => (await throttled()).length === 30 - PER_RECEIVER);
    assert.equal(receiver.received.length, PER_RECEIVER);
    const permits = await platform.query('SELECT permit FROM deliveries WHERE permit IS NOT NULL ORDER BY permit');
    assert.deepEqual(permits, [{ permit: 1 }, { permit: 2 }, { permit: 3 }]);
    for (const response of held) response.end();
    const results = await Promise.all(attempts);
    assert.equal(results.filter((result) => result === 'delivered').length, PER_RECEIVER);
    assert.equal(results.filter((result) => result === 'throttled').length, 30 - PER_RECEIVER);
    assert.deepEqual(await platform.query('SELECT id FROM deliveries WHERE permit IS NOT NULL'), []);
  });

  it('are passed on to waiting deliveries, one for each free permit', async () => {
    const ids = await make(10);
    const attempts = ids.slice(0, PER_RECEIVER).map(attempt);
    await receiver.waitFor(PER_RECEIVER);
    for (const id of ids.slice(PER_RECEIVER)) assert.equal(await attempt(id), 'throttled');
    assert.equal(await attempt(ids[5] ?? 0), 'not-due', 'a throttled delivery cannot be attempted');
    await platform.container.queues.deliveries.obliterate({ force: true });
    held[0]?.end();
    await Promise.race(attempts);
    assert.deepEqual(await enqueued(), [ids[3]]);
    assert.deepEqual(await throttled(), ids.slice(4));
    for (const response of held.slice(1)) response.end();
    await Promise.all(attempts);
  });

  it('are freed when their worker is dead, and the reconciler enqueues the deliveries that wait for them', async () => {
    const ids = await make(6);
    await platform.query('UPDATE deliveries SET permit = id - ?, lease_until_ms = ? WHERE id <= ?', [
      Number(ids[0]) - 1,
      clock.now() + LEASE_MS,
      ids[2],
    ]);
    for (const id of ids.slice(3)) assert.equal(await attempt(id), 'throttled');
    await platform.container.queues.deliveries.obliterate({ force: true });
    await platform.container.reconciler.startDeliveries();
    assert.deepEqual(await enqueued(), []);
    clock.advance(LEASE_MS);
    await platform.container.reconciler.startDeliveries();
    const byNumber = (a: number, b: number) => a - b;
    assert.deepEqual((await enqueued()).sort(byNumber), ids, 'those of the dead worker, and as many waiting ones');
    receiver.responses.length = 0;
    await platform.settle();
    const statuses = await platform.query('SELECT DISTINCT status FROM deliveries');
    assert.deepEqual(statuses, [{ status: 'delivered' }]);
  });

  it('remain taken while a frozen worker has locked them, without blocking other attempts', async () => {
    const ids = await make(4);
    await platform.query('UPDATE deliveries SET permit = 1, lease_until_ms = ? WHERE id = ?', [
      clock.now() - 1,
      ids[0],
    ]);
    receiver.responses.length = 0;
    const frozen = await connectOtherClient(platform);
    try {
      await frozen.beginTransaction();
      await frozen.query('SELECT id FROM deliveries WHERE id = ? FOR UPDATE', [ids[0]]);
      for (const id of ids.slice(1)) assert.equal(await attempt(id), 'delivered');
      assert.deepEqual(await platform.query('SELECT permit FROM deliveries WHERE permit IS NOT NULL'), [{ permit: 1 }]);
    } finally {
      await frozen.rollback();
      await frozen.end();
    }
    assert.equal(await attempt(ids[0] ?? 0), 'delivered');
    assert.deepEqual(await platform.query('SELECT permit FROM deliveries WHERE permit IS NOT NULL'), []);
  });

  it('are taken as long as the attempt lasts while its worker is alive', async () => {
    const [id = 0] = await make(1);
    const ending = attempt(id);
    await receiver.waitFor(1);
    clock.advance(LEASE_MS - 1_000);
    const [before] = await platform.query('SELECT lease_until_ms AS until FROM deliveries WHERE id = ?', [id]);
    const renewed = async () =>
      (await platform.query('SELECT id FROM deliveries WHERE lease_until_ms > ?', [before?.until])).length > 0;
    await until('the lease is renewed', renewed);
    clock.advance(LEASE_MS - 1_000);
    assert.equal(await attempt(id), 'not-due');
    assert.equal((await platform.query('SELECT id FROM deliveries WHERE permit IS NOT NULL')).length, 1);
    held[0]?.end();
    assert.equal(await ending, 'delivered');
  });

  it('pass to another worker with the delivery when one seems dead, whose late result changes nothing', async () => {
    const [id = 0] = await make(1);
    const first = attempt(id);
    await receiver.waitFor(1);
    clock.advance(LEASE_MS);
    const second = attempt(id);
    await receiver.waitFor(2);
    held[0]?.writeHead(500).end();
    await first;
    const state = 'SELECT attempts, permit IS NOT NULL AS isHeld FROM deliveries WHERE id = ?';
    assert.deepEqual(await platform.query(state, [id]), [{ attempts: 0, isHeld: 1 }]);
    held[1]?.end();
    assert.equal(await second, 'delivered');
    assert.deepEqual(await platform.query(state, [id]), [{ attempts: 1, isHeld: 0 }]);
  });

  it('are not lost by a process whose connections to MySQL broke while it took them', async () => {
    const ids = await make(PER_RECEIVER);
    const lock = await connectOtherClient(platform);
    await lock.beginTransaction();
    await lock.query('SELECT id FROM deliveries WHERE id IN (?) FOR UPDATE', [ids]);
    const attempts = Promise.allSettled(ids.map(attempt));
    const taking = () =>
      platform.query(
        "SELECT id FROM information_schema.processlist WHERE info LIKE 'UPDATE deliveries SET lease_until_ms%'",
      );
    await until('all leases are being taken', async () => (await taking()).length === PER_RECEIVER);
    for (const { id } of await taking()) await platform.query('KILL ?', [id]);
    assert.deepEqual(new Set((await attempts).map(({ status }) => status)), new Set(['rejected']));
    await lock.rollback();
    await lock.end();
    receiver.responses.length = 0;
    for (const id of ids) assert.equal(await attempt(id), 'delivered');
  });

  it('are not required to fail a throttled delivery of a disabled notification', async () => {
    const fields = { name: 'x', event: 'add_sensor', notification_id: notificationId };
    await user.api.post('/events/notifications', { event_notification: fields });
    const attempts = (await make(PER_RECEIVER)).map(attempt);
    await receiver.waitFor(PER_RECEIVER);
    await buildSensor(user);
    await platform.settle();
    assert.equal((await throttled()).length, 1);
    await user.api.put(`/notifications/${notificationId}`, { notification: { enabled: 0 } });
    await platform.settle();
    assert.deepEqual(await throttled(), []);
    assert.equal((await user.api.get('/deliveries?status=failed&total=1')).body.total, 1);
    for (const response of held) response.end();
    await Promise.all(attempts);
  });

  it('leave half of the concurrency of a process to healthy receivers, however many are degraded', async () => {
    const dead = await Promise.all([0, 1, 2, 3].map(() => startReceiver()));
    const ids: number[] = [];
    for (const { url, responses } of dead) {
      await user.api.put(`/notifications/${notificationId}`, { notification: { destination: url } });
      ids.push(...(await make(1)));
      responses.push((response) => void held.push(response));
      await platform.query('INSERT INTO degraded_receivers VALUES (?, ?, 3)', [new URL(url).host, clock.now()]);
    }
    const attempts = ids.map(attempt);
    await until('two are held and two throttled', async () => held.length === 2 && (await throttled()).length === 2);
    assert.deepEqual([held.length, (await throttled()).length], [2, 2]);
    for (const response of held) response.end();
    assert.deepEqual((await Promise.all(attempts)).sort(), ['delivered', 'delivered', 'throttled', 'throttled']);
    await platform.container.reconciler.startDeliveries();
    for (const { responses } of dead) responses.length = 0;
    await platform.settle();
    assert.deepEqual(await platform.query("SELECT id FROM deliveries WHERE status <> 'delivered'"), []);
    assert.deepEqual(
      await platform.query('SELECT * FROM degraded_receivers'),
      [],
      'an immediate delivery ends the degradation',
    );
    await Promise.all(dead.map((one) => one.close()));
  });

  it('have a reconciler that finds the deliveries of all receivers, despite a large backlog of one', async () => {
    const [first] = await make(1);
    const earlier = clock.now() - 1;
    const row = (index: number) => [
      `msg_${index}`,
      user.id,
      notificationId,
      'test',
      'url',
      'x',
      'crowded:80',
      '',
      earlier,
      earlier,
    ];
    await platform.query(
      `INSERT INTO deliveries (webhook_id, owner_id, notification_id, kind, type, destination, receiver, text, next_attempt_ms, created_ms)
       VALUES ?`,
      [Array.from({ length: 1_500 }, (_, index) => row(index))],
    );
    await platform.container.queues.deliveries.obliterate({ force: true });
    await platform.container.reconciler.startDeliveries();
    const ids = await enqueued();
    assert.ok(ids.includes(first));
    assert.equal(ids.length, 1 + 2 * PER_RECEIVER, 'the others are throttled, and three of them woken');
  });

  it('have a reconciler that finds the deliveries of all owners, despite a large backlog of one for many receivers', async () => {
    const other = await platform.user();
    const otherNotificationId = await buildNotification(other, {});
    const row = (index: number, ownerId: unknown, ofNotification: unknown, atMs: number) => [
      ...[
        `msg_owner_${index}`,
        ownerId,
        ofNotification,
        'test',
        'url',
        'x',
        index < 1_500 ? `many${index % 50}:80` : 'elsewhere:80',
        '',
        atMs,
        atMs,
      ],
    ];
    const backlog = Array.from({ length: 1_500 }, (_, index) => row(index, user.id, notificationId, clock.now() - 2));
    await platform.query(
      `INSERT INTO deliveries (webhook_id, owner_id, notification_id, kind, type, destination, receiver, text, next_attempt_ms, created_ms)
       VALUES ?`,
      [[...backlog, row(1_500, other.id, otherNotificationId, clock.now() - 1)]],
    );
    const [[last]] = [await platform.query('SELECT id FROM deliveries WHERE owner_id = ?', [other.id])];
    await platform.container.queues.deliveries.obliterate({ force: true });
    await platform.container.reconciler.startDeliveries();
    assert.ok((await enqueued()).includes(Number(last?.id)), 'the last one waits for the backlog of another owner');
  });
});
