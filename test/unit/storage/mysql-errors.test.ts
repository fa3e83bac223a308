import assert from 'node:assert/strict';
import mysql, { type Pool } from 'mysql2/promise';
import { isAway, isPermanent, isTransient, isUnusableServer } from '../../../src/storage/mysql-errors';
import { inPoolTransaction } from '../../../src/storage/transaction';
import { Stopwatch } from '../../support/stopwatch';

/** An error as the driver reports one of the server, by its number and the name that the driver has for it. */
const fromServer = (errno: number, code = 'UNKNOWN') =>
  Object.assign(new Error(code), { errno, code, sqlState: 'HY000' });
/** As a model reports it. */
const wrapped = (error: Error) =>
  Object.assign(new Error('wrapped'), { name: 'SequelizeDatabaseError', parent: error });

const PASSING: [number, string?][] = [
  [1213, 'ER_LOCK_DEADLOCK'],
  [1205, 'ER_LOCK_WAIT_TIMEOUT'],
  [1020, 'ER_CHECKREAD'],
  [3101, 'ER_TRANSACTION_ROLLBACK_DURING_COMMIT'],
  [9007],
  [8028],
];
const UNFIT: [number, string?][] = [
  [1047, 'ER_UNKNOWN_COM_ERROR'],
  [1290, 'ER_OPTION_PREVENTS_STATEMENT'],
  [1836, 'ER_READ_ONLY_MODE'],
  [1792, 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION'],
  [3100, 'ER_RUN_HOOK_ERROR'],
  [9002],
];
const SHUT: [number, string][] = [
  [1053, 'ER_SERVER_SHUTDOWN'],
  [1040, 'ER_CON_COUNT_ERROR'],
  [1203, 'ER_TOO_MANY_USER_CONNECTIONS'],
];
const REFUSALS: [number, string][] = [
  [1062, 'ER_DUP_ENTRY'],
  [1064, 'ER_PARSE_ERROR'],
  [1406, 'ER_DATA_TOO_LONG'],
];

describe('errors of MySQL', () => {
  it('say that MySQL is away when as much as may wait for a connection already does', async () => {
    const pool = mysql.createPool({ host: '127.0.0.1', port: 1, connectionLimit: 1, queueLimit: 1 });
    const ask = () => pool.getConnection().catch((error: unknown) => error);
    const [first] = [ask(), ask()];
    const full = await ask();
    assert.match(String(full), /Queue limit reached/);
    assert.deepEqual([isAway(full), isPermanent(full), isTransient(full)], [true, false, false]);
    assert.equal(isAway(await first), true);
    await pool.end().catch(() => undefined); // of the connection that never was
  });

  const kindsOf = (error: Error) => ({
    passing: isTransient(error),
    away: isAway(error),
    unfit: isUnusableServer(error),
    permanent: isPermanent(error),
  });
  const check = (errors: [number, string?][], kinds: Partial<ReturnType<typeof kindsOf>>) => {
    const expected = { passing: false, away: false, unfit: false, permanent: false, ...kinds };
    for (const [errno, code] of errors) {
      const error = fromServer(errno, code);
      assert.deepEqual(kindsOf(error), expected, `${errno}`);
      assert.deepEqual(kindsOf(wrapped(error)), expected, `${errno} of a model`);
    }
  };

  it('of which a moment later the same work succeeds are passing', () => check(PASSING, { passing: true }));
  it('of a server that may not work now mean that MySQL is away', () => check(UNFIT, { away: true, unfit: true }));
  it('of a server that has no room or shuts down do so, too', () => check(SHUT, { away: true }));
  it('about the work itself are permanent', () => check(REFUSALS, { permanent: true }));

  it('are retried after pauses when they pass, and not when the server is unfit', async () => {
    for (const [error, tries] of [
      [fromServer(9007), 6],
      [fromServer(1047, 'ER_UNKNOWN_COM_ERROR'), 1],
    ] as const) {
      let begun = 0;
      const connection = {
        beginTransaction: async () => undefined,
        rollback: async () => undefined,
        release: () => undefined,
      };
      const pool = { getConnection: async () => connection } as unknown as Pool; // what a transaction uses of it
      const watch = new Stopwatch();
      const work = async () => {
        begun += 1;
        throw error;
      };
      await assert.rejects(inPoolTransaction(pool, work), error);
      assert.equal(begun, tries);
      const ms = watch.stop();
      if (tries > 1) assert.ok(ms < 2_000);
    }
  }).retries(2);
});
