import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolConnection } from 'mysql2/promise';
import { Heartbeat } from '../../src/points/availability/heartbeat';
import { fakeClock } from '../support/fake-clock';
import { usePlatform } from '../support/hooks';
import { connectOtherClient } from '../support/other-client';
import { timed } from '../support/stopwatch';
import { until } from '../support/until';

const POOL_SIZE = 8;

describe('heartbeats', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  let heartbeat: Heartbeat;
  let taken: PoolConnection[];

  beforeEach(() => {
    taken = [];
    const { database, logger } = platform.container;
    heartbeat = new Heartbeat(database.pool, clock, logger);
  });
  afterEach(async () => {
    for (const connection of taken.splice(0)) {
      await connection.rollback();
      connection.release();
    }
    await heartbeat.stop();
  });

  /** Takes connections from the pool that heartbeats use. */
  const take = async (count: number) => {
    for (let index = 0; index < count; index += 1) taken.push(await platform.container.database.pool.getConnection());
    return taken[0] ?? assert.fail('no connection');
  };
  const acceptingUntil = async () =>
    Number((await platform.query('SELECT accepting_until_ms AS until FROM heartbeats'))[0]?.until);

  it('use a single connection while another process locks their row, and continue afterwards', async () => {
    await heartbeat.start();
    const blocker = await connectOtherClient(platform);
    clock.advance(1_000);
    await blocker.beginTransaction();
    await blocker.query('SELECT * FROM heartbeats FOR UPDATE');
    const waiting = () =>
      platform.query(
        `SELECT id FROM information_schema.processlist
         WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE 'UPDATE heartbeats%'`,
      );
    await until('a heartbeat waits', async () => (await waiting()).length > 0);
    await sleep(2_200); // more than four heartbeats
    assert.equal((await waiting()).length, 1);
    clock.advance(1_000);
    await blocker.rollback();
    await blocker.end();
    await until('a heartbeat is written', async () => (await acceptingUntil()) === clock.now());
  });

  it('do not repeat what another process has recorded just now', async () => {
    clock.advance(1_000);
    await heartbeat.beat();
    const writtenMs = await acceptingUntil();
    const { database, logger } = platform.container;
    const another = new Heartbeat(database.pool, clock, logger);
    clock.advance(200);
    await another.beat();
    assert.equal(await acceptingUntil(), writtenMs);
    await heartbeat.beat();
    assert.equal(await acceptingUntil(), writtenMs + 200);
    clock.advance(201);
    await another.beat();
    assert.equal(await acceptingUntil(), writtenMs + 401);
  });

  it('made concurrently are a single one', async () => {
    const [first, second] = [heartbeat.beat(), heartbeat.beat()];
    assert.equal(first, second);
    await first;
    assert.notEqual(heartbeat.beat(), first);
  });

  it('fail after two seconds without a free connection, and leak none', async () => {
    await take(POOL_SIZE);
    for (let beat = 0; beat < 2; beat += 1) {
      const begun = Date.now();
      const ms = await timed(() => assert.rejects(heartbeat.beat(), /no connection to MySQL is free/));
      assert.ok(Date.now() - begun > 1_900 && ms < 3_500, `${ms} ms`);
    }
    for (const connection of taken.splice(0)) connection.release();
    clock.advance(1_000);
    await heartbeat.beat();
    assert.equal(await acceptingUntil(), clock.now());
    await take(POOL_SIZE);
  }).retries(2);

  it('release a connection that becomes free only after the process has stopped', async () => {
    await take(POOL_SIZE);
    await assert.rejects(heartbeat.beat());
    await heartbeat.stop();
    for (const connection of taken.splice(0)) connection.release();
    await take(POOL_SIZE);
  });
});
