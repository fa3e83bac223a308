import assert from 'node:assert/strict';
import { slimDataPoints } from '../../../../src/storage/migrations/2026-11-26-0300-slim-data-points';
import { MysqlSchema } from '../../../../src/storage/migrations/schema';

const REBUILD = 'ALTER TABLE data_points DROP COLUMN id, DROP COLUMN received_ms, MODIFY COLUMN delay_s INT NOT NULL';

/** The statements about tables that the migration sends to a server that refuses those with this text. */
async function sentTo(version: string, refused: RegExp = /^$/): Promise<string[]> {
  const sent: string[] = [];
  const columns = new Set(['id', 'received_ms', 'delay_s']);
  const schema = new MysqlSchema({
    run: async (sql) => {
      if (!sql.startsWith('ALTER')) return;
      sent.push(sql);
      if (refused.test(sql)) throw new Error('refused');
      for (const [, column] of sql.matchAll(/DROP COLUMN (\w+)/g)) columns.delete(String(column));
    },
    read: async (sql, values) => {
      if (sql.includes('VERSION()')) return [{ version }];
      return columns.has(String(values.at(-1))) ? [{ 1: 1 }] : [];
    },
  });
  await slimDataPoints.up(schema);
  return sent;
}

describe('the rebuild of the table of data points', () => {
  it('is one statement on MariaDB, which compresses and lets uploads go on', async () => {
    assert.deepEqual(await sentTo('10.11.6-MariaDB-log'), [
      `${REBUILD}, PAGE_COMPRESSED=1, ALGORITHM=INPLACE, LOCK=NONE`,
    ]);
  });

  it('follows the option on MySQL, which takes effect with it', async () => {
    assert.deepEqual(await sentTo('8.4.3'), [
      "ALTER TABLE data_points COMPRESSION='zlib'",
      `${REBUILD}, ALGORITHM=INPLACE, LOCK=NONE`,
    ]);
  });

  it('goes on without what a server refuses', async () => {
    const onMariaDb = async (refused: RegExp) => (await sentTo('11.4.2-MariaDB', refused)).at(-1);
    assert.equal(await onMariaDb(/COMPRESSED=1/), `${REBUILD}, ALGORITHM=INPLACE, LOCK=NONE`);
    assert.equal(await onMariaDb(/LOCK=NONE/), `${REBUILD}, PAGE_COMPRESSED=1, LOCK=SHARED`);
    assert.equal(await onMariaDb(/COMPRESSED=1|LOCK=NONE/), `${REBUILD}, LOCK=SHARED`);
    assert.equal((await sentTo('9.1.0', /COMPRESSION|LOCK=NONE/)).at(-1), `${REBUILD}, LOCK=SHARED`, 'MySQL');
    await assert.rejects(sentTo('9.1.0', /DROP/), /refused/);
  });
});
