import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { type Database, openDatabase } from '../../src/database';
import { type Cuttable, startCuttable } from '../support/cuttable';
import { type Platform, startPlatform } from '../support/platform';

const LOCK = 'SELECT accepting_until_ms FROM heartbeats WHERE id = 1 FOR UPDATE';
const KEEP = 'INSERT INTO outages (from_ms, to_ms) VALUES (1, 2)';

describe('one side of a connection to MySQL that stands still', () => {
  let platform: Platform;
  let way: Cuttable;
  let limited: Database;

  before(async () => {
    platform = await startPlatform();
    way = await startCuttable(platform.container.config.mysqlUrl);
    limited = openDatabase(way.url, { pauseSeconds: 1, answerMs: 3_000 });
  });
  after(async () => {
    await limited.close();
    await way.close();
    await platform.close();
  });

  /** Waits for the lock, and tells what was kept by who had it. */
  const kept = async () => {
    const { pool } = platform.container.database;
    await pool.query(LOCK);
    return (await pool.query<RowDataPacket[]>('SELECT 1 FROM outages WHERE from_ms = 1'))[0];
  };

  it('a process loses its locks, and what it had begun on the way of a data point', async () => {
    const connection = await limited.pool.getConnection();
    await connection.beginTransaction();
    await connection.query(LOCK);
    await connection.query(KEEP);
    assert.deepEqual(await kept(), []);
    await assert.rejects(connection.commit());
    connection.release();
    await limited.pool.query('SELECT 1');
  });

  it('a process loses its locks, and what it had begun on a resource', async () => {
    const transaction = await limited.sequelize.transaction();
    await limited.sequelize.query(LOCK, { transaction });
    await limited.sequelize.query(KEEP, { transaction });
    assert.deepEqual(await kept(), []);
    await assert.rejects(transaction.commit());
    await limited.sequelize.query('SELECT 1');
  });

  it('a server that has vanished is asked anew, on both ways', async () => {
    await Promise.all([limited.pool.query('SELECT 1'), limited.sequelize.query('SELECT 1')]);
    way.freeze();
    const ask = [limited.pool.query('SELECT 1'), limited.sequelize.query('SELECT 1')];
    for (const asked of await Promise.allSettled(ask)) assert.equal(asked.status, 'rejected');
    await Promise.all([limited.pool.query('SELECT 1'), limited.sequelize.query('SELECT 1')]);
  });
});
