import assert from 'node:assert/strict';
import { inPoolTransaction, runOn } from '../../src/database/transaction';
import { raiseEvents } from '../../src/events/event-rows';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { subscribe } from '../support/subscribe';

const COUNT = 1_300;

describe('the dispatcher of events', () => {
  let platform: Platform;
  let user: TestUser;
  let sensorId: number;

  before(async () => {
    platform = await startPlatform();
    user = await platform.user();
    sensorId = Number((await user.api.post('/sensors', { sensor: { name: 'door' } })).body.sensor.id);
    for (const priority of [1, 2]) await subscribe(user, 'http://127.0.0.1:9/', 'fire_trigger', { priority });
  });
  after(() => platform.close());

  const raise = (fails = false) =>
    inPoolTransaction(platform.container.database.pool, async (connection) => {
      const events = Array.from({ length: COUNT }, (_, index) => ({
        name: 'fire_trigger' as const,
        subjectId: index + 1,
        sourceId: sensorId,
        userId: Number(user.id),
      }));
      const raised = await raiseEvents(runOn(connection), events, 0);
      if (fails) throw new Error('the cause was rolled back');
      return raised;
    });
  const rows = (sql: string) => platform.query(sql);

  it('tells each of many events once to each that listens, with three workers at it at once', async () => {
    assert.equal(await raise(), COUNT);
    const { eventDispatcher } = platform.container;
    const told = await Promise.all([1, 2, 3].map(() => eventDispatcher.dispatchWaiting()));
    assert.equal(
      told.reduce((sum, count) => sum + count, 0),
      COUNT,
    );
    const [found] = await rows(
      'SELECT COUNT(*) AS total, COUNT(DISTINCT subject_id, event_notification_id) AS pairs FROM deliveries',
    );
    assert.deepEqual({ ...found }, { total: 2 * COUNT, pairs: 2 * COUNT });
    assert.deepEqual(await rows('SELECT id FROM events'), []);
    const [wrong] = await rows(
      `SELECT COUNT(*) AS total FROM deliveries low JOIN deliveries high
       ON high.event_id = low.event_id AND high.priority > low.priority AND high.id > low.id`,
    );
    assert.equal(wrong?.total, 0, 'of one event the higher priority is written first');
  });

  it('tells more text at once than MySQL takes in a statement', async () => {
    const pool = platform.container.database.pool;
    await pool.query('DELETE FROM deliveries');
    await pool.query('UPDATE notifications SET text = ?', ['€'.repeat(10_000)]);
    // 30 MB in one batch, where MariaDB takes 16 in a statement.
    await raise();
    await platform.container.eventDispatcher.dispatchWaiting();
    const [found] = await rows('SELECT COUNT(*) AS total, SUM(CHAR_LENGTH(text)) AS characters FROM deliveries');
    assert.deepEqual({ ...found }, { total: 2 * COUNT, characters: String(2 * COUNT * 10_000) });
  });

  it('hears nothing of what was rolled back', async () => {
    await assert.rejects(raise(true), /rolled back/);
    assert.equal(await platform.container.eventDispatcher.dispatchWaiting(), 0);
  });
});
