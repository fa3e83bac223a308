import assert from 'node:assert/strict';
import { NotSimulated } from './database/not-simulated';
import { readShapes, type TableShape } from './database/schema';
import { SimulatedDatabase } from './database/simulated-database';
import { Blocked, type Transaction } from './database/transaction';

const DELIVERY =
  'INSERT INTO deliveries (webhook_id, owner_id, notification_id, kind, type, destination, text, created_ms, receiver, permit) VALUES ?';

describe('the simulated database', () => {
  let shapes: TableShape[];
  let database: SimulatedDatabase;
  let a: Transaction;
  let b: Transaction;

  before(async () => {
    shapes = await readShapes();
  });
  beforeEach(() => {
    database = new SimulatedDatabase(shapes);
    a = database.begin('a', 0);
    b = database.begin('b', 0);
  });

  const addOutages = (transaction: Transaction, ...rows: number[][]) =>
    database.run('INSERT INTO outages (from_ms, to_ms) VALUES ?', [rows], transaction);
  const read = (transaction: Transaction, lock = '') =>
    database.run(`SELECT from_ms AS fromMs, to_ms FROM outages ORDER BY from_ms ${lock}`, [], transaction);
  const delivery = (webhookId: string, permit: number | null) => [
    webhookId,
    1,
    1,
    'test',
    'url',
    '',
    '',
    0,
    'here:80',
    permit,
  ];

  it('has the tables of the migrations, with their defaults and keys', () => {
    database.run(DELIVERY, [[delivery('x', null)]], a);
    const rows = database.run('SELECT id, status, attempts, firing_id, permit FROM deliveries', [], a);
    assert.deepEqual(rows, [{ id: 1, status: 'pending', attempts: 0, firing_id: null, permit: null }]);
    assert.throws(() => database.run(DELIVERY, [[delivery('x', 1)]], a), /ER_DUP_ENTRY/);
    assert.throws(() => database.run('INSERT INTO outages (from_ms) VALUES (?)', [1], a), /ER_BAD_NULL_ERROR/);
  });

  it('shows the changes of a transaction to itself, to others after the commit, and to nobody after a rollback', () => {
    addOutages(a, [1, 2]);
    assert.deepEqual(read(a), [{ fromMs: 1, to_ms: 2 }]);
    assert.deepEqual(read(b), []);
    database.commit(a, 5);
    assert.deepEqual(read(b), [{ fromMs: 1, to_ms: 2 }]);
    database.run('UPDATE outages SET to_ms = to_ms + ? WHERE from_ms = 1', [10], b);
    database.run('DELETE FROM outages WHERE to_ms = 12', [], b);
    assert.deepEqual(read(b), []);
    database.rollback(b);
    assert.deepEqual(database.rows('outages'), [{ from_ms: 1, to_ms: 2 }]);
  });

  it('delays a second writer of a row until the first has ended, whose changes it then sees', () => {
    addOutages(a, [1, 2], [3, 4]);
    database.commit(a, 0);
    a = database.begin('a', 0);
    read(a, 'FOR UPDATE');
    const update = () => database.run('UPDATE outages SET to_ms = 9 WHERE to_ms = 5', [], b);
    database.run('UPDATE outages SET to_ms = 5 WHERE from_ms = 1', [], a);
    assert.throws(update, Blocked);
    assert.throws(() => read(b, 'FOR UPDATE NOWAIT'), /ER_LOCK_WAIT_TIMEOUT/);
    database.commit(a, 0);
    assert.deepEqual(update(), { affectedRows: 1, insertId: 0 });
  });

  it('lets readers share a row for which a writer must wait', () => {
    addOutages(a, [1, 2]);
    database.commit(a, 0);
    a = database.begin('a', 0);
    read(a, 'LOCK IN SHARE MODE');
    read(b, 'LOCK IN SHARE MODE');
    assert.throws(() => database.run('DELETE FROM outages WHERE from_ms = 1', [], b), Blocked);
    database.rollback(a);
    assert.deepEqual(database.run('DELETE FROM outages WHERE from_ms = 1', [], b), { affectedRows: 1, insertId: 0 });
  });

  it('ends a deadlock by rolling back one of the two transactions', () => {
    addOutages(a, [1, 2], [3, 4]);
    database.commit(a, 0);
    a = database.begin('a', 0);
    database.run('UPDATE outages SET to_ms = 7 WHERE from_ms = 1', [], a);
    database.run('UPDATE outages SET to_ms = 8 WHERE from_ms = 3', [], b);
    assert.throws(() => database.run('UPDATE outages SET to_ms = 7 WHERE from_ms = 3', [], a), Blocked);
    assert.throws(() => database.run('UPDATE outages SET to_ms = 8 WHERE from_ms = 1', [], b), /ER_LOCK_DEADLOCK/);
    database.run('UPDATE outages SET to_ms = 7 WHERE from_ms = 3', [], a);
    database.commit(a, 0);
    assert.deepEqual(
      database.rows('outages').map((row) => row.to_ms),
      [7, 7],
    );
  });

  it('enforces unique keys when a key changes, and waits while another transaction releases the key', () => {
    database.run(DELIVERY, [[delivery('x', 1), delivery('y', 2), delivery('z', null)]], a);
    database.commit(a, 0);
    a = database.begin('a', 0);
    const take = () => database.run('UPDATE deliveries SET permit = 1 WHERE webhook_id = ?', ['z'], b);
    assert.throws(take, /ER_DUP_ENTRY/);
    database.rollback(b);
    b = database.begin('b', 0);
    database.run('UPDATE deliveries SET permit = NULL WHERE permit = 1', [], a);
    assert.throws(take, Blocked);
    database.commit(a, 0);
    take();
    database.commit(b, 0);
    assert.deepEqual(
      database.rows('deliveries').map((row) => row.permit),
      [null, 2, 1],
    );
  });

  it('records each commit with the rows before and after it', () => {
    addOutages(a, [1, 2]);
    database.commit(a, 7);
    assert.deepEqual(database.commits, [
      {
        owner: 'a',
        beganMs: 0,
        atMs: 7,
        changes: [{ table: 'outages', before: null, after: { from_ms: 1, to_ms: 2 } }],
      },
    ]);
  });

  it('refuses a statement that it does not support', () => {
    assert.throws(() => database.run('SELECT to_ms / 2 FROM outages', [], a), NotSimulated);
    assert.throws(() => database.run('TRUNCATE outages', [], a), NotSimulated);
  });
});
