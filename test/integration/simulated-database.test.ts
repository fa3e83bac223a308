import assert from 'node:assert/strict';
import mysql, { type Pool, type PoolConnection, type RowDataPacket } from 'mysql2/promise';
import type { DatabaseAction } from '../simulation/database/simulated-database';
import type { Row } from '../simulation/database/sql-syntax';
import type { Transaction } from '../simulation/database/transaction';
import type { History } from '../simulation/history';
import { simulate } from '../simulation/simulation';
import { startPlatform } from '../support/platform';

interface Entry {
  transaction: Transaction;
  action: DatabaseAction;
}

/** So many simulations are compared to their end. */
const WHOLE = 6;
/** About one in three can be: those in which nothing waits for a lock. */
const MOST_SEEDS = 60;
/** A simulation has more open transactions than a process of the platform. One more than these is an error. */
const CONNECTIONS = 80;
const TABLES = [
  'inbox_batches',
  'sensor_triggers',
  'firings',
  'deliveries',
  'delivery_attempts',
  'events',
  'outages',
  'heartbeats',
  'metatags',
  'selector_owners',
];

describe('the simulated database compared with MySQL', () => {
  it('has the same results throughout whole simulations, and the same rows at the end', async function () {
    this.timeout(600_000);
    let whole = 0;
    for (let seed = 1; whole < WHOLE; seed += 1) {
      assert.ok(seed <= MOST_SEEDS, `only ${whole} could be compared to their end`);
      const platform = await startPlatform();
      const pool = openPool(platform.container.config.mysqlUrl);
      try {
        for (const table of ['heartbeats', 'partitions', 'stream_head']) await pool.query(`DELETE FROM ${table}`);
        const entries: Entry[] = [];
        const history = await simulate(seed, {}, (transaction, action) => entries.push({ transaction, action }));
        if (await replay(pool, entries)) {
          whole += 1;
          await compareTables(pool, history);
        }
      } finally {
        await pool.end();
        await platform.close();
      }
    }
  });
});

/** A pool that reads values as the platform does, and that fails where it would wait for a free connection. */
function openPool(uri: string): Pool {
  return mysql.createPool({
    uri,
    connectionLimit: CONNECTIONS,
    waitForConnections: false,
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
  });
}

async function compareTables(pool: Pool, { rows }: History): Promise<void> {
  for (const table of TABLES) {
    const [stored] = await pool.query<RowDataPacket[]>(`SELECT * FROM ${table}`);
    assert.deepEqual(sorted(stored), sorted(rows(table)), table);
  }
}

/**
 * Repeats the statements on MySQL in the same order, each transaction on its own connection. Ends early, with false,
 * where one of the two waits for a lock: MySQL also locks rows that a DELETE only reads, and chooses other victims.
 */
async function replay(pool: Pool, entries: readonly Entry[]): Promise<boolean> {
  const connections = new Map<Transaction, PoolConnection>();
  const lone = loneStatements(entries);
  let isWhole = true;
  for (const { transaction, action } of entries) {
    const isLone = lone.has(transaction);
    const connection = connections.get(transaction) ?? (await connect(pool, { begins: !isLone }));
    connections.set(transaction, connection);
    if ('end' in action) {
      if (!isLone) await (action.end === 'commit' ? connection.commit() : connection.rollback());
      connection.release();
      connections.delete(transaction);
    } else isWhole = await compare(connection, action);
    if (!isWhole) break;
  }
  for (const connection of connections.values()) {
    await connection.rollback();
    connection.release();
  }
  return isWhole;
}

/** The transactions of one statement that was committed: it is a transaction by itself. */
function loneStatements(entries: readonly Entry[]): Set<Transaction> {
  const statements = new Map<Transaction, number>();
  const lone = new Set<Transaction>();
  for (const { transaction, action } of entries) {
    if (!('end' in action)) statements.set(transaction, (statements.get(transaction) ?? 0) + 1);
    else if (action.end === 'commit' && statements.get(transaction) === 1) lone.add(transaction);
  }
  return lone;
}

const prepared = new WeakSet<object>();

async function connect(pool: Pool, { begins }: { begins: boolean }): Promise<PoolConnection> {
  const connection = await pool.getConnection();
  if (!prepared.has(connection.connection)) {
    prepared.add(connection.connection);
    // A wait for a lock means that MySQL holds a lock that is free in the simulation. A transaction is idle while the
    // others are replayed, on a busy machine for longer than the platform's limit of 15 s.
    await connection.query(
      'SET SESSION innodb_lock_wait_timeout = 1, SESSION wait_timeout = 3600, SESSION foreign_key_checks = 0',
    );
    await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
  }
  if (begins) await connection.beginTransaction();
  return connection;
}

/** Runs a statement and compares the results; false when there is none because of a lock. */
async function compare(
  connection: PoolConnection,
  { sql, parameters, answer }: Exclude<DatabaseAction, { end: string }>,
): Promise<boolean> {
  const given = await connection.query(sql, [...parameters]).then(
    ([result]) => result,
    (error: { code?: string }) => String(error.code),
  );
  if ([given, answer].some((one) => typeof one === 'string' && one.startsWith('ER_LOCK'))) return false;
  if (typeof answer === 'string' || typeof given === 'string') assert.equal(given, answer, sql);
  else if (Array.isArray(answer)) {
    assert.ok(Array.isArray(given), sql);
    // A statement that waits for a lock was not repeated here, and it holds other locks meanwhile.
    if (/SKIP LOCKED/.test(sql) && given.length > answer.length) return false;
    // Without an order MySQL may choose any rows, and equal ones have any order.
    if (/LIMIT/.test(sql) && !/ORDER BY/.test(sql)) assert.equal(given.length, answer.length, sql);
    // Some servers return a DECIMAL, which the driver reads as a string.
    else if (/COALESCE|MAX\(IF/.test(sql))
      assert.equal(String(sorted(given).map(Object.values)), String(sorted(answer).map(Object.values)));
    else if (/ORDER BY (priority DESC, )?id\b/.test(sql)) assert.deepEqual(plain(given), plain(answer), sql);
    else assert.deepEqual(sorted(given), sorted(answer), sql);
  } else if (/^(UPDATE|DELETE)/.test(sql) && 'affectedRows' in given) {
    assert.equal(given.affectedRows, answer.affectedRows, `${sql} ${JSON.stringify(parameters)}`);
  }
  return true;
}

function plain(rows: readonly object[]): Row[] {
  // The driver's rows have the columns as keys; binary columns come as bytes.
  return rows.map((row) => {
    const columns = Object.entries(row).map(([name, value]) => [name, Buffer.isBuffer(value) ? String(value) : value]);
    return Object.fromEntries(columns) as Row;
  });
}

function sorted(rows: readonly object[]): Row[] {
  const keyed = plain(rows).map((row) => ({ row, key: JSON.stringify(Object.entries(row).sort()) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row);
}
