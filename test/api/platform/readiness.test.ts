import assert from 'node:assert/strict';
import { useCuttable, usePlatform } from '../../support/hooks';
import { until } from '../../support/until';

describe('GET /readyz', () => {
  const mysql = useCuttable('MYSQL_URL');
  const platform = usePlatform(() => ({ config: { MYSQL_URL: mysql.url } }));

  const probe = () => platform.anonymous.get('/readyz');

  /** The statements that reach MySQL while `act` runs, over either kind of connection. */
  const statementsOf = async (act: () => Promise<unknown>) => {
    const { pool, sequelize } = platform.container.database;
    const statements: string[] = [];
    const { query } = pool;
    const { query: queryModels } = sequelize;
    pool.query = ((...args: Parameters<typeof query>) => {
      statements.push(String(args[0]));
      return query.apply(pool, args);
    }) as typeof query; // records and passes on
    sequelize.query = ((...args: Parameters<typeof queryModels>) => {
      statements.push(String(args[0]));
      return queryModels.apply(sequelize, args);
    }) as typeof queryModels; // records and passes on
    try {
      await act();
    } finally {
      pool.query = query;
      sequelize.query = queryModels;
    }
    return statements;
  };

  it('only reads, and reports a missing migration', async () => {
    const statements = await statementsOf(async () => assert.equal((await probe()).status, 200));
    assert.ok(statements.length >= 3, statements.join('\n'));
    for (const statement of statements) assert.match(statement, /^(SELECT|SHOW) /);
    const name = (await platform.query('SELECT name FROM migrations ORDER BY name DESC LIMIT 1'))[0]?.name;
    await platform.query('DELETE FROM migrations WHERE name = ?', [name]);
    const { status, body } = await probe();
    assert.deepEqual([status, body.mysql, body.migrations], [503, true, false]);
    await platform.query('RENAME TABLE migrations TO elsewhere');
    assert.deepEqual((await probe()).body.migrations, false);
    assert.equal((await platform.query("SHOW TABLES LIKE 'migrations'")).length, 0);
    await platform.query('RENAME TABLE elsewhere TO migrations');
    await platform.query('INSERT INTO migrations (name) VALUES (?)', [name]);
    assert.equal((await probe()).status, 200);
  });

  it('queries an unresponsive MySQL once for any number of probes', async () => {
    await probe();
    mysql.freeze();
    const statements = await statementsOf(async () => {
      for (let round = 0; round < 2; round += 1) {
        const responses = await Promise.all(Array.from({ length: 10 }, probe));
        for (const { status, body } of responses)
          assert.deepEqual([status, body.mysql, body.redis], [503, false, true]);
      }
    });
    assert.ok(statements.length <= 3, statements.join('\n'));
    await mysql.cut();
    await mysql.restore();
    await until('MySQL is reachable again', async () => (await probe()).status === 200);
  });
});
