import assert from 'node:assert/strict';
import { type Database, openDatabase } from '../../src/storage';
import { runCancellable } from '../../src/storage/cancellation';
import { isOverTime } from '../../src/storage/mysql-errors';
import { required } from '../support/platform';
import { Stopwatch, timed } from '../support/stopwatch';
import { until } from '../support/until';

/** Takes many seconds on any machine. */
const LONG = `SELECT COUNT(*) AS long_read FROM ${['a', 'b', 'c', 'd'].map((name) => `information_schema.collations ${name}`)}`;

describe('the pool for reads', () => {
  let database: Database;

  before(() => {
    database = openDatabase(required('MYSQL_URL'), {
      pauseSeconds: 15,
      answerMs: 60_000,
      shortAnswerMs: 60_000,
      readSeconds: 2,
    });
  });
  after(() => database.close());

  const running = async () => {
    const query = `SELECT id FROM information_schema.processlist WHERE info LIKE '/* read%long_read%'`;
    const [rows] = await database.pool.query(query);
    return Array.isArray(rows) ? rows.length : 0;
  };
  /** MySQL answers a statement a moment before its list of processes forgets it. */
  const isOver = () => until('MySQL runs the statement no more', async () => (await running()) === 0, 500);

  it('ends a statement that takes too long', async () => {
    const watch = new Stopwatch();
    const error = await database.reads.query(LONG).catch((reason: unknown) => reason);
    assert.equal(isOverTime(error), true, String(error));
    assert.ok(watch.stop() < 5_000);
    await isOver();
  }).retries(2);

  it('answers short statements while others keep all connections for long ones busy', async () => {
    const forUser = <T>(userId: number, work: () => Promise<T>) =>
      runCancellable(new AbortController().signal, work, { userId, hold: () => undefined });
    const long = Array.from({ length: 4 }, (_, userId) =>
      [1, 2, 3].map(() => forUser(userId, () => database.reads.query(LONG).catch(() => undefined))),
    ).flat();
    await until('they have become long ones', async () => (await running()) >= 6);
    const ms = await timed(() => forUser(9, () => database.reads.query('SELECT 1')));
    assert.ok(ms < 1_500, `${ms} ms`);
    await Promise.all(long);
  }).retries(2);

  it('ends a statement in MySQL when its request is aborted', async () => {
    const closed = new AbortController();
    const reading = runCancellable(closed.signal, () => database.reads.query(LONG));
    const failed = assert.rejects(reading, { message: 'gone' });
    await until('the statement runs', async () => (await running()) === 1);
    const watch = new Stopwatch();
    closed.abort(new Error('gone'));
    await failed;
    const ms = watch.stop();
    assert.ok(ms < 1_000, `${ms} ms`);
    await isOver();
  }).retries(2);

  it('starts no statement of an aborted request', async () => {
    const closed = new AbortController();
    const held = Array.from({ length: 6 }, () => database.reads.query(LONG).catch(() => undefined));
    const waiting = runCancellable(closed.signal, () => database.reads.query('SELECT 1'));
    const failed = assert.rejects(waiting, { message: 'gone' });
    closed.abort(new Error('gone'));
    await Promise.all([failed, ...held]);
    const late = runCancellable(closed.signal, () => database.reads.query('SELECT 1'));
    await assert.rejects(late, { message: 'gone' });
    const [[row]] = await database.reads.query('SELECT 1 AS one');
    assert.equal(row?.one, 1);
  });

  it('ends no later statement of the same connection', async () => {
    for (let round = 0; round < 30; round += 1) {
      const closed = new AbortController();
      const brief = runCancellable(closed.signal, () => database.reads.query('SELECT SLEEP(0.005)'));
      const settled = brief.catch(() => undefined);
      setTimeout(() => closed.abort(new Error('gone')), round % 10);
      await settled;
      const [[row]] = await database.reads.query('SELECT SLEEP(0.01) AS slept');
      assert.equal(Number(row?.slept), 0);
    }
  });
});
