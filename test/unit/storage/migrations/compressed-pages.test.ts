import assert from 'node:assert/strict';
import { MysqlSchema } from '../../../../src/storage/migrations/schema';

/** The statement that the step sends to a server of this version, which answers with an error if one is given. */
async function sentTo(version: string, error?: Error, isCompressed = false): Promise<string[]> {
  const sent: string[] = [];
  const schema = new MysqlSchema({
    run: async (sql) => {
      sent.push(sql);
      if (error) throw error;
    },
    read: async (sql) => {
      if (sql.includes('information_schema.tables')) return isCompressed ? [{ 1: 1 }] : [];
      return [{ version }];
    },
  });
  await schema.compressPages('data_points', 1);
  return sent;
}

describe('the compression of the pages of a table', () => {
  it('has a level on MariaDB', async () => {
    assert.deepEqual(await sentTo('10.11.6-MariaDB-log'), [
      'ALTER TABLE data_points PAGE_COMPRESSED=1 PAGE_COMPRESSION_LEVEL=1',
    ]);
  });

  it('is an algorithm on MySQL', async () => {
    assert.deepEqual(await sentTo('8.4.3'), ["ALTER TABLE data_points COMPRESSION='zlib'"]);
  });

  it('is left out where they are compressed', async () => {
    assert.deepEqual(await sentTo('10.11.6-MariaDB-log', undefined, true), []);
  });

  it('is left out where the server refuses it', async () => {
    const refusal = Object.assign(new Error('refused'), {
      code: 'ER_ILLEGAL_HA_CREATE_OPTION',
      errno: 1478,
      sqlState: 'HY000',
    });
    assert.equal((await sentTo('11.4.2-MariaDB', refusal)).length, 1);
  });

  it('fails with any other error, so that the migration is repeated', async () => {
    const deadlock = Object.assign(new Error('Deadlock found'), {
      code: 'ER_LOCK_DEADLOCK',
      errno: 1213,
      sqlState: '40001',
    });
    await assert.rejects(sentTo('10.11.6-MariaDB', deadlock), /Deadlock found/);
    await assert.rejects(sentTo('10.11.6-MariaDB', new Error('the lease expired')), /the lease expired/);
  });
});
