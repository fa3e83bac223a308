import assert from 'node:assert/strict';
import { openDatabase, PATIENT_TIMEOUTS } from '../../src/storage';
import { isAway } from '../../src/storage/mysql-errors';
import { useCuttable } from '../support/hooks';

/** More than any pool has connections: some statements run, some open connections, and the others wait for one. */
const STATEMENTS = 20;

describe('a MySQL that has not answered for as long as a process that ends waits', () => {
  const mysql = useCuttable('MYSQL_URL');

  it('fails whatever waits for it, and whatever asks later, and does not hold up the end', async () => {
    const database = openDatabase(mysql.url, PATIENT_TIMEOUTS);
    const { sequelize, pool, uploads, heartbeats, reads } = database;
    const pools = [pool, uploads, heartbeats, reads.byLength.short, reads.byLength.long];
    const askAll = (): Promise<unknown>[] => [
      ...pools.map((one) => one.query('SELECT 1')),
      sequelize.query('SELECT 1'),
    ];
    await Promise.all(askAll());
    const transaction = await sequelize.transaction();
    mysql.stop();
    const waiting = [transaction.commit(), ...Array.from({ length: STATEMENTS }, askAll).flat()];
    const failures = Promise.allSettled(waiting);
    assert.equal(await database.abortOnceUnresponsive(200), true);
    const late = await Promise.allSettled(askAll());
    for (const outcome of [...(await failures), ...late]) {
      assert.ok(outcome.status === 'rejected' && isAway(outcome.reason), JSON.stringify(outcome));
    }
    await database.close();
  });

  it('is left alone while it answers, and until its connections are closed', async () => {
    const database = openDatabase(process.env.MYSQL_URL ?? '');
    const isGone = database.abortOnceUnresponsive(60_000);
    await database.pool.query('SELECT SLEEP(0.5)');
    await database.close();
    assert.equal(await isGone, false);
  });
});
