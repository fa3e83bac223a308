import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sequelize } from 'sequelize';
import { isMigrated, migrate } from '../../src/storage/migrations';
import { LEASE_TIMES, type LeaseTimes, MigrationLease } from '../../src/storage/migrations/lease';
import { type MigratingProcess, startMigratingProcess } from '../support/migrating-process';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database';

const SHORT: LeaseTimes = { leaseMs: 2_000, waitMs: 60_000, pollMs: 20 };
const FIRST_TABLE = 'CREATE TABLE users ';

describe('the lease of the migrations', () => {
  let database: ScratchDatabase;
  let sequelize: Sequelize;
  let processes: MigratingProcess[];

  beforeEach(async () => {
    database = await createScratchDatabase();
    sequelize = new Sequelize(database.url, { dialect: 'mysql', logging: false });
    processes = [];
  });
  afterEach(async () => {
    for (const each of processes) each.kill('SIGKILL');
    await Promise.all(processes.map(({ ended }) => ended));
    await sequelize.close();
    await database.drop();
  });

  const start = async (times: LeaseTimes) => {
    const started = await startMigratingProcess(database.url, times);
    processes.push(started);
    return started;
  };
  const take = async (leaseMs = LEASE_TIMES.leaseMs) => {
    const lease = await MigrationLease.take(sequelize, leaseMs);
    assert.ok(lease);
    return lease;
  };

  it('lets one of two processes migrate that begin at the same moment, while the other waits', async () => {
    const both = await Promise.all([start(LEASE_TIMES), start(LEASE_TIMES)]);
    for (const each of both) each.begin();
    assert.deepEqual(await Promise.all(both.map(({ ended }) => ended)), [0, 0]);
    const counts = (text: string) => both.map(({ lines }) => lines.filter((line) => line.includes(text)).length);
    assert.deepEqual(counts(FIRST_TABLE).sort(), [0, 1]);
    assert.deepEqual(counts('ALTER TABLE').sort()[0], 0);
    assert.ok(counts('UPDATE migration_lease').every((count) => count > 0));
    assert.equal(await isMigrated(sequelize), true);
  });

  it('is not asked for when nothing is left to be done', async () => {
    await migrate(sequelize);
    const lease = await take();
    await migrate(sequelize, { ...SHORT, waitMs: 0 });
    await lease.release();
  });

  it('is renewed until it is released, and free at once then', async () => {
    let lease = await take(SHORT.leaseMs);
    let seenMs = performance.now();
    const endMs = seenMs + 2.2 * SHORT.leaseMs;
    while (seenMs < endMs) {
      const other = await MigrationLease.take(sequelize, SHORT.leaseMs);
      const pausedMs = performance.now() - seenMs;
      seenMs += pausedMs;
      // Where this process did not come to run for so long, the lease may have expired.
      assert.ok(other === null || pausedMs > SHORT.leaseMs / 2);
      if (other) await lease.release();
      lease = other ?? lease;
      await sleep(50);
    }
    await lease.release();
    await (await take()).release();
  });

  it('makes a process fail that has waited for too long', async () => {
    const lease = await take();
    await assert.rejects(
      migrate(sequelize, { ...SHORT, waitMs: 200 }),
      /another process has been migrating for 0.2 seconds/,
    );
    assert.deepEqual(await database.schema(), {});
    await lease.release();
  });

  it('expires while its owner is paused, which then changes nothing more', async () => {
    const paused = await start(SHORT);
    paused.begin();
    await paused.sent(10);
    paused.kill('SIGSTOP');
    await migrate(sequelize, SHORT);
    const schema = await database.schema();
    const { length } = paused.lines;
    paused.kill('SIGCONT');
    assert.equal(await paused.ended, 1);
    assert.match(String(paused.lines.at(-1)), /the migration lease expired/);
    const later = paused.lines.slice(length);
    assert.deepEqual(later.filter((line) => /CREATE|ALTER/.test(line)).length <= 1, true, later.join('\n'));
    assert.deepEqual(await database.schema(), schema);
  });
});
