import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { type Database, openDatabase } from '../../src/storage';
import { useCuttable, usePlatform } from '../support/hooks';

const LOCK = 'SELECT accepting_until_ms FROM heartbeats WHERE id = 1 FOR UPDATE';
const STORE = 'INSERT INTO outages (from_ms, to_ms) VALUES (1, 2)';

describe('when one side of a connection to MySQL stops', () => {
  const platform = usePlatform();
  const mysql = useCuttable('MYSQL_URL');
  let limited: Database;

  before(async () => {
    const url = new URL(mysql.url);
    url.pathname = new URL(platform.container.config.mysqlUrl).pathname;
    limited = openDatabase(url.toString(), { pauseSeconds: 1, answerMs: 3_000, shortAnswerMs: 3_000, readSeconds: 1 });
  });
  after(() => limited.close());

  /** Waits for the lock and returns the rows that its previous holder stored. */
  const stored = async () => {
    const { pool } = platform.container.database;
    await pool.query(LOCK);
    return (await pool.query<RowDataPacket[]>('SELECT 1 FROM outages WHERE from_ms = 1'))[0];
  };

  it('a process loses its locks and its changes to data points', async () => {
    const connection = await limited.pool.getConnection();
    await connection.beginTransaction();
    await connection.query(LOCK);
    await connection.query(STORE);
    assert.deepEqual(await stored(), []);
    await assert.rejects(connection.commit());
    connection.release();
    await limited.pool.query('SELECT 1');
  });

  it('a process loses its locks and its changes to resources', async () => {
    const transaction = await limited.sequelize.transaction();
    await limited.sequelize.query(LOCK, { transaction });
    await limited.sequelize.query(STORE, { transaction });
    assert.deepEqual(await stored(), []);
    await assert.rejects(transaction.commit());
    await limited.sequelize.query('SELECT 1');
  });

  it('a vanished server is contacted again by both kinds of connections', async () => {
    await Promise.all([limited.pool.query('SELECT 1'), limited.sequelize.query('SELECT 1')]);
    mysql.freeze();
    const queries = [limited.pool.query('SELECT 1'), limited.sequelize.query('SELECT 1')];
    for (const query of await Promise.allSettled(queries)) assert.equal(query.status, 'rejected');
    await Promise.all([limited.pool.query('SELECT 1'), limited.sequelize.query('SELECT 1')]);
  });
});
