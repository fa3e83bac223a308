import assert from 'node:assert/strict';
import type { Pool } from 'mysql2/promise';
import type { DeliveryNudge } from '../../jobs/delivery.job';
import { type NewEvent, raiseEvents } from '../../src/events/event-log';
import { PacedTexts } from '../../src/notifications/delivery/paced-texts';
import { EventDispatcher } from '../../src/notifications/dispatch/event-dispatcher';
import type { DispatchLimits } from '../../src/notifications/dispatch/event-matches';
import type { Logger } from '../../src/platform/logger';
import { inPoolTransaction, runOn } from '../../src/storage/transaction';
import { buildNotification, buildSensor } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { usePlatform, useUserPerTest } from '../support/hooks';
import type { TestUser } from '../support/platform';
import { subscribe } from '../support/subscribe';
import { watchPool } from '../support/watched-pool';

const COUNT = 1_300;
const HOUR_MS = 3_600_000;

describe('the dispatcher of events', () => {
  const clock = fakeClock(Date.UTC(2026, 10, 21));
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);
  let sensorId: number;

  beforeEach(async () => {
    sensorId = Number(await buildSensor(user));
    await platform.query('DELETE FROM deliveries');
    await platform.query('DELETE FROM events');
  });

  const raise = (events: readonly NewEvent[], fails = false) =>
    inPoolTransaction(platform.container.database.pool, async (connection) => {
      const raised = await raiseEvents(runOn(connection), events, 0);
      if (fails) throw new Error('the cause was rolled back');
      return raised.length;
    });
  const firings = (count: number, of: { id: string } = user, sourceId = sensorId): NewEvent[] =>
    Array.from({ length: count }, (_, index) => ({
      name: 'fire_trigger',
      subjectId: index + 1,
      sourceId,
      userId: Number(of.id),
    }));
  /** More event notifications than the API allows, of priorities 0 to 9, as they may have been made before there was a limit. */
  const insertEventNotifications = async (count: number, of: TestUser = user, event = 'fire_trigger') => {
    const notificationId = await buildNotification(of, { text: '$event of $subject_id' });
    const rows = Array.from({ length: count }, (_, index) => [of.id, event, notificationId, index % 10, 1]);
    await platform.query(
      'INSERT INTO event_notifications (owner_id, event, notification_id, priority, created_ms) VALUES ?',
      [rows],
    );
  };
  const dispatcher = ({
    pool = platform.container.database.pool,
    log = [] as unknown[],
    limits = undefined as DispatchLimits | undefined,
    start = (nudges: readonly DeliveryNudge[]) => platform.container.delivery.runner.start(nudges),
  }) => {
    const logger = { error: (fields: unknown) => log.push(fields) } as unknown as Logger; // all that it uses
    const { jobQueue, metrics, shares } = platform.container;
    const newTexts = () => new PacedTexts(shares, false);
    return new EventDispatcher(pool, clock, { jobQueue, metrics, deliveries: { start }, logger, newTexts }, limits);
  };
  const deliveries = () =>
    platform.query(
      `SELECT id, owner_id AS ownerId, event_id AS eventId, subject_id AS subjectId, event_notification_id AS interestId, priority
       FROM deliveries ORDER BY id`,
    );
  /** Adds how many deliveries each transaction inserts. */
  const countInserts = (sizes: number[]): Pool =>
    watchPool(platform.container.database.pool, {
      onCommit: (changes) => {
        const inserts = changes.filter(({ sql }) => sql.startsWith('INSERT INTO deliveries'));
        sizes.push(inserts.reduce((sum, { affectedRows }) => sum + affectedRows, 0));
      },
    });
  const countsOf = async () => {
    const rows = await deliveries();
    const pairs = new Set(rows.map(({ eventId, interestId }) => `${eventId} ${interestId}`));
    const [waiting] = await platform.query('SELECT COUNT(*) AS total FROM events');
    return { deliveries: rows.length, pairs: pairs.size, waiting: Number(waiting?.total) };
  };

  it('dispatches each of many events once to each event notification, with three workers at it at once', async () => {
    for (const priority of [1, 2]) await subscribe(user, 'http://127.0.0.1:9/', 'fire_trigger', { priority });
    assert.equal(await raise(firings(COUNT)), COUNT);
    const { eventDispatcher } = platform.container;
    const dispatched = await Promise.all([1, 2, 3].map(() => eventDispatcher.dispatchWaiting()));
    assert.equal(
      dispatched.reduce((sum, count) => sum + count, 0),
      COUNT,
    );
    assert.deepEqual(await countsOf(), { deliveries: 2 * COUNT, pairs: 2 * COUNT, waiting: 0 });
    const [wrong] = await platform.query(
      `SELECT COUNT(*) AS total FROM deliveries low JOIN deliveries high
       ON high.event_id = low.event_id AND high.priority > low.priority AND high.id > low.id`,
    );
    assert.equal(wrong?.total, 0, 'of one event the higher priority is written first');
  });

  it('dispatches more text at once than MySQL takes in a statement', async () => {
    const text = '€'.repeat(10_000);
    for (const priority of [1, 2]) await subscribe(user, 'http://127.0.0.1:9/', 'fire_trigger', { priority, text });
    // 78 MB, where MariaDB takes 16 in a statement.
    await raise(firings(COUNT));
    await platform.container.eventDispatcher.dispatchWaiting();
    const [found] = await platform.query(
      'SELECT COUNT(*) AS total, SUM(CHAR_LENGTH(text)) AS characters FROM deliveries',
    );
    assert.deepEqual({ ...found }, { total: 2 * COUNT, characters: String(2 * COUNT * 10_000) });
  });

  it('dispatches nothing of what was rolled back', async () => {
    await subscribe(user, 'http://127.0.0.1:9/', 'fire_trigger');
    await assert.rejects(raise(firings(COUNT), true), /rolled back/);
    assert.equal(await platform.container.eventDispatcher.dispatchWaiting(), 0);
  });

  it('inserts at most 500 deliveries in a transaction, and dispatches the rest of an event in the next ones', async () => {
    await insertEventNotifications(COUNT);
    await raise(firings(2));
    const inserted: number[] = [];
    assert.equal(await dispatcher({ pool: countInserts(inserted) }).dispatchWaiting(), 2);
    assert.deepEqual(await countsOf(), { deliveries: 2 * COUNT, pairs: 2 * COUNT, waiting: 0 });
    assert.deepEqual(
      inserted.filter((size) => size > 0),
      [500, 500, 300, 500, 500, 300],
    );
    const priorities = (await deliveries()).filter(({ subjectId }) => subjectId === 1).map((row) => row.priority);
    assert.deepEqual(
      priorities,
      [...priorities].sort((a, b) => b - a),
      'the higher priority first',
    );
  });

  it('gives each user all that is for them in one transaction, as long as that has room for it', async () => {
    const members = [user, await platform.user(), await platform.user()];
    for (const member of members) await insertEventNotifications(60, member, 'add_sensor_data');
    for (const member of members.slice(1))
      await user.api.post(`/sensors/${sensorId}/users`, { user: { id: member.id } });
    await raise([{ name: 'add_sensor_data', subjectId: sensorId, userId: Number(user.id) }]);
    const inserted: number[] = [];
    const limits = { matches: 150, users: 2 };
    await dispatcher({ pool: countInserts(inserted), limits }).dispatchWaiting();
    assert.deepEqual(
      inserted.filter((size) => size > 0),
      [120, 60],
    );
    assert.deepEqual(await countsOf(), { deliveries: 180, pairs: 180, waiting: 0 });
  });

  it('neither loses nor doubles a part of an event when a worker dies in the middle of it, or priorities change', async () => {
    await insertEventNotifications(95);
    await raise(firings(3));
    const limits = { matches: 20, users: 10 };
    let enqueued = 0;
    const start = async () => {
      enqueued += 1;
      if (enqueued % 2 === 0) throw new Error('the worker died');
    };
    for (let worker = 0; worker < 20 && (await countsOf()).waiting > 0; worker += 1) {
      const dying = dispatcher({ limits, start });
      await dying.dispatchWaiting().catch((error: Error) => assert.match(error.message, /the worker died/));
      await platform.query('UPDATE event_notifications SET priority = MOD(priority + 3, 10) WHERE owner_id = ?', [
        user.id,
      ]);
    }
    assert.ok(enqueued > 10);
    assert.deepEqual(await countsOf(), { deliveries: 285, pairs: 285, waiting: 0 });
  });

  it('sets an event aside that cannot be dispatched, logs it with its stack, and tries it again later', async () => {
    await subscribe(user, 'http://127.0.0.1:9/', 'fire_trigger');
    await raise(firings(20));
    await platform.query("UPDATE events SET audience = 'broken' WHERE subject_id = 5");
    const log: { eventId?: number; err: Error }[] = [];
    const failing = dispatcher({ log });
    assert.equal(await failing.dispatchWaiting(), 19);
    assert.deepEqual(await countsOf(), { deliveries: 19, pairs: 19, waiting: 1 });
    const [event] = await platform.query('SELECT id, failures, retry_at_ms AS retryAtMs FROM events');
    assert.deepEqual([event?.failures, event?.retryAtMs], [1, clock.now() + 60_000]);
    const { eventId, err } = log.at(-1) ?? {};
    assert.equal(eventId, event?.id);
    assert.match(err?.stack ?? '', /JSON.*\n +at /s);

    await raise(firings(1));
    assert.equal(await failing.dispatchWaiting(), 1);
    assert.equal(log.length, 2, 'it is left alone until then');
    clock.advance(60_000);
    await failing.dispatchWaiting();
    const [again] = await platform.query('SELECT failures, retry_at_ms AS retryAtMs FROM events');
    assert.deepEqual([again?.failures, again?.retryAtMs], [2, clock.now() + 120_000]);
    await platform.query('UPDATE events SET audience = ?', [`[${user.id}]`]);
    clock.advance(HOUR_MS);
    assert.equal(await failing.dispatchWaiting(), 1);
    assert.deepEqual(await countsOf(), { deliveries: 21, pairs: 21, waiting: 0 });
  });

  it('serves users round-robin, however many events or matches another user has', async () => {
    const other = await platform.user();
    const otherSensorId = Number(await buildSensor(other));
    await insertEventNotifications(3_000);
    await subscribe(other, 'http://127.0.0.1:9/', 'fire_trigger');
    await raise(firings(COUNT));
    await raise(firings(1, other, otherSensorId));
    await platform.container.eventDispatcher.dispatchWaiting();
    const rank = (await deliveries()).findIndex(({ ownerId }) => ownerId === Number(other.id));
    assert.ok(rank >= 0 && rank <= 500, `after ${rank} others`);
    assert.equal((await countsOf()).waiting > COUNT - 10, true);
  });

  it('writes a large audience as several rows of at most 1,000 users, and dispatches to each of them once', async () => {
    const notificationId = await buildNotification(user);
    const ids = Array.from({ length: 2_400 }, (_, index) => 10_000 + index);
    const usernames = ids.map((id) => [
      id,
      `uuid-${id}`,
      `many-${id}`,
      `many-${id}`,
      `many-${id}`,
      'a@example.org',
      '',
      1,
    ]);
    await platform.query(
      'INSERT INTO users (id, uuid, username, username_key, username_looks, email, password_hash, created_ms) VALUES ?',
      [usernames],
    );
    await platform.query('INSERT INTO sensor_users (sensor_id, user_id, created_ms) VALUES ?', [
      ids.map((id) => [sensorId, id, 1]),
    ]);
    await platform.query('INSERT INTO event_notifications (owner_id, event, notification_id, created_ms) VALUES ?', [
      ids.map((id) => [id, 'update_sensor', notificationId, 1]),
    ]);
    assert.equal(await raise([{ name: 'update_sensor', subjectId: sensorId, userId: Number(user.id) }]), 3);
    await platform.container.eventDispatcher.dispatchWaiting();
    assert.deepEqual((await deliveries()).map(({ ownerId }) => ownerId).sort(), ids);
  });
});
