// Counts incomplete transactions, while another node of the cluster wins against many of them.
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';

const STATEMENTS = 10;
const ENOUGH_CONFLICTS = 300;
const LIMIT_MS = 30_000;
/** Interval at which a node begins to write rows that the other node's transactions also write. */
const EVERY_MS = 10;

/**
 * Runs the platform's own transactions on the second node. All nodes must be up. Fails if there were hardly any
 * conflicts.
 */
export async function countTorn(galera) {
  // Exists once the platform is built.
  const require = createRequire(import.meta.url);
  const { openDatabase } = require('../../dist/src/storage/index.js');
  const { inPoolTransaction } = require('../../dist/src/storage/transaction.js');
  const [one, other] = [mysql.createPool({ uri: galera[0].url }), openDatabase(galera[1].url)];
  const whole = { transactions: 0, conflicts: 0 };
  const until = Date.now() + LIMIT_MS;
  const isOver = () => whole.conflicts >= ENOUGH_CONFLICTS || Date.now() > until;
  try {
    await one.query('CREATE TABLE torn (id INT PRIMARY KEY, times BIGINT NOT NULL)');
    await one.query('CREATE TABLE torn_parts (transaction_no INT, part INT, PRIMARY KEY (transaction_no, part))');
    await one.query('INSERT INTO torn VALUES (1, 0)');
    await Promise.all([writeParts(other.pool, inPoolTransaction, whole, isOver), win(one, isOver)]);
    // On the node that has committed them: the others may not have applied the latest ones yet.
    const [torn] = await other.pool.query(
      'SELECT transaction_no FROM torn_parts GROUP BY transaction_no HAVING COUNT(*) <> ?',
      [STATEMENTS],
    );
    const [[{ count }]] = await other.pool.query('SELECT COUNT(DISTINCT transaction_no) AS count FROM torn_parts');
    if (whole.conflicts < ENOUGH_CONFLICTS / 10) throw new Error(`only ${whole.conflicts} conflicts of transactions`);
    return { ...whole, torn: torn.length + Math.abs(Number(count) - whole.transactions) };
  } finally {
    await Promise.all([one.end(), other.close()]);
  }
}

/**
 * Each writes a row that the other node also writes, and then some private ones, like a pass writes its partition and
 * its results.
 */
async function writeParts(pool, inPoolTransaction, whole, isOver) {
  const parts = Array.from({ length: STATEMENTS }, (_, index) => index);
  for (let number = 1; !isOver(); number += 1) {
    const work = async (connection) => {
      await connection.query('UPDATE torn SET times = times + 1 WHERE id = 1');
      await Promise.all(parts.map((part) => connection.query('INSERT INTO torn_parts VALUES (?)', [[number, part]])));
    };
    const countConflict = () => {
      whole.conflicts += 1;
      return !isOver();
    };
    await inPoolTransaction(pool, work, countConflict).then(
      () => {
        whole.transactions += 1;
      },
      () => undefined, // too many conflicts in a row
    );
  }
}

async function win(pool, isOver) {
  while (!isOver()) {
    await pool.query('UPDATE torn SET times = times + 1 WHERE id = 1').catch(() => undefined);
    await sleep(Math.random() * EVERY_MS);
  }
}
