import assert from 'node:assert/strict';
import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { TransactionConnection } from '../../src/storage/pipeline';
import { inPoolTransaction } from '../../src/storage/transaction';
import { usePlatform } from '../support/hooks';
import { packetsDuring } from '../support/sent-statements';
import { until } from '../support/until';

describe('statements that a transaction issues without awaiting each other', () => {
  const platform = usePlatform();
  const ids = async () => (await platform.query('SELECT id FROM packets ORDER BY id')).map(({ id }) => Number(id));
  const insert = (connection: PoolConnection, id: number) =>
    connection.query('INSERT INTO packets (id, text) VALUES (?, ?)', [id, 'a; b']);
  const run = <T>(work: (connection: TransactionConnection) => Promise<T>) =>
    inPoolTransaction(platform.container.database.pool, work);

  before(() => platform.query('CREATE TABLE packets (id INT PRIMARY KEY, text LONGTEXT NOT NULL)'));
  beforeEach(() => platform.query('DELETE FROM packets'));

  it('go to MySQL in one packet, with the begin and the end, and each gets its own result', async () => {
    const packets = await packetsDuring(() =>
      run(async (connection) => {
        const inserts = Promise.all([insert(connection, 1), insert(connection, 2)]);
        const reading = connection.query<RowDataPacket[]>('SELECT id, text FROM packets ORDER BY id');
        const nothing = connection.query<RowDataPacket[]>('SELECT id FROM packets WHERE id > 9');
        void connection.commit();
        assert.deepEqual(
          (await inserts).map(([result]) => (result as { affectedRows: number }).affectedRows),
          [1, 1],
        );
        const rows = [1, 2].map((id) => ({ id, text: 'a; b' }));
        assert.deepEqual([(await reading)[0].map((row) => ({ ...row })), (await nothing)[0]], [rows, []]);
      }),
    );
    assert.equal(packets.length, 1, packets.join('\n'));
    assert.deepEqual(await ids(), [1, 2]);
  });

  it('are not committed when one of them fails, also with the commit among them', async () => {
    for (const commits of [true, false]) {
      await assert.rejects(
        run(async (connection) => {
          const writing = [insert(connection, 1), insert(connection, 1), insert(connection, 2)];
          if (commits) void connection.commit();
          await Promise.all(writing);
        }),
        { code: 'ER_DUP_ENTRY' },
      );
      assert.deepEqual(await ids(), []);
    }
  });

  it('may end with a statement after the commit, which is no part of the transaction', async () => {
    const packets = await packetsDuring(() =>
      run(async (connection) => {
        void insert(connection, 1);
        const read = await connection.commitAndRead('SELECT id FROM packets');
        assert.deepEqual({ ...read[0] }, { id: 1 });
      }),
    );
    assert.equal(packets.length, 1, packets.join('\n'));
    const failing = run(async (connection) => {
      void insert(connection, 2);
      void insert(connection, 2);
      await connection.commitAndRead('SELECT id FROM packets');
    });
    await assert.rejects(failing, { code: 'ER_DUP_ENTRY' });
    assert.deepEqual(await ids(), [1]);
  });

  it('may do without the begin and the end where one of them writes', async () => {
    const leavingOut = (...written: number[]) =>
      run(async (connection) => {
        connection.leaveTransactionOut();
        void connection.query('SELECT 1');
        const writing = written.map((id) => insert(connection, id));
        await connection.commitAndRead('SELECT 2');
        await Promise.all(writing);
      });
    const packets = await packetsDuring(() => leavingOut(1));
    assert.deepEqual(packets, ["SELECT 1; INSERT INTO packets (id, text) VALUES (1, 'a; b'); SELECT 2"]);
    await assert.rejects(leavingOut(1, 2), { code: 'ER_DUP_ENTRY' });
    assert.deepEqual(await ids(), [1]);
    const tooLate = run(async (connection) => {
      await insert(connection, 2);
      connection.leaveTransactionOut();
    });
    await assert.rejects(tooLate, /the transaction has begun/);
    assert.deepEqual(await ids(), [1]);
  });

  it('may go on after a failure that is handled', async () => {
    await run(async (connection) => {
      await insert(connection, 1);
      await assert.rejects(insert(connection, 1), { code: 'ER_DUP_ENTRY' });
      await insert(connection, 2);
    });
    assert.deepEqual(await ids(), [1, 2]);
  });

  it('are refused after a failure that may have ended the transaction, also those of other parts of the work', async () => {
    const unknown = { code: 'ER_NO_SUCH_TABLE' };
    const ended = run(async (connection) => {
      await insert(connection, 1);
      await assert.rejects(connection.query('DELETE FROM no_such_table'), unknown);
      await assert.rejects(insert(connection, 2), unknown);
    });
    await assert.rejects(ended, unknown);
    assert.deepEqual(await ids(), []);
  });

  it('are refused after a deadlock, with which MySQL has rolled back those before', async () => {
    await run((connection) => Promise.all([insert(connection, 1), insert(connection, 2)]));
    const lock = (connection: PoolConnection, id: number) =>
      connection.query('SELECT id FROM packets WHERE id = ? FOR UPDATE', [id]);
    let [locked, deadlocks] = [0, 0];
    const lockBoth = (first: number, second: number) =>
      run(async (connection) => {
        await insert(connection, 10 + first);
        await lock(connection, first);
        locked += 1;
        await until('both have locked a row', () => locked >= 2);
        await lock(connection, second).catch(() => {
          deadlocks += 1;
          return insert(connection, 3);
        });
      });
    await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]);
    assert.ok(deadlocks > 0);
    assert.deepEqual(await ids(), [1, 2, 11, 12]);
  });

  it('are sent in several packets when they are long, in their order, and no more of them after one that fails', async () => {
    const long = 'x'.repeat(400_000);
    const write = (connection: PoolConnection, id: number) =>
      connection.query('INSERT INTO packets (id, text) VALUES (?, ?)', [id, long]);
    const packets = await packetsDuring(() =>
      run((connection) => Promise.all([write(connection, 1), write(connection, 2), write(connection, 3)])),
    );
    assert.equal(packets.length, 4, 'each of them, and the commit');
    assert.deepEqual(await ids(), [1, 2, 3]);
    await assert.rejects(
      run((connection) => {
        const writing = Promise.all([write(connection, 4), write(connection, 1), write(connection, 5)]);
        void connection.commit();
        return writing;
      }),
      { code: 'ER_DUP_ENTRY' },
    );
    assert.deepEqual(await ids(), [1, 2, 3]);
  });

  it('are taken only by the pools of transactions and of heartbeats, not where callers choose what is read', async () => {
    const { reads, sequelize } = platform.container.database;
    const sql = 'SELECT 1; DELETE FROM packets';
    const asks = [() => reads.query(sql), () => sequelize.query(sql)];
    await run((connection) => insert(connection, 1));
    for (const ask of asks) await assert.rejects(ask, /You have an error in your SQL syntax/);
    assert.deepEqual(await ids(), [1]);
  });

  it('are refused once the transaction has ended', async () => {
    const late: Promise<unknown>[] = [];
    await assert.rejects(
      run(async (connection) => {
        setTimeout(() => late.push(insert(connection, 7).catch(String)), 50);
        throw new Error('changed its mind');
      }),
      /changed its mind/,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual(await Promise.all(late), ['Error: the transaction has ended']);
    assert.deepEqual(await ids(), []);
  });
});
