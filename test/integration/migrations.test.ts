import 'reflect-metadata';
import assert from 'node:assert/strict';
import type { Model, ModelStatic, Sequelize } from 'sequelize';
import { isMigrated, migrate } from '../../src/storage/migrations';
import { migrations } from '../../src/storage/migrations/all';
import { migrator } from '../../src/storage/migrations/migrator';
import { connectModels, models } from '../../src/storage/models';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database';

/** Reserved in MySQL from 8.0 to 9.7 and not in MariaDB, or the other way round (the keyword pages of their manuals). */
const RESERVED =
  `cube cume_dist dense_rank empty except first_value function grouping groups intersect json_table lag last_value
  lateral lead library manual nth_value ntile of over parallel percent_rank qualify rank recursive row row_number rows system
  tablesample virtual window current_role delete_domain_id do_domain_ids ignore_domain_ids ignore_server_ids offset
  page_checksum parse_vcol_expr ref_system_id returning slow stats_auto_recalc stats_persistent stats_sample_pages`.split(
    /\s+/,
  );

describe('the migrations', () => {
  let database: ScratchDatabase;
  let sequelize: Sequelize;

  before(async () => {
    database = await createScratchDatabase();
    sequelize = connectModels(database.url);
  });
  after(async () => {
    await sequelize.close();
    await database.drop();
  });

  it('go up, down to nothing, and up to the same schema', async () => {
    assert.equal(await isMigrated(sequelize), false);
    assert.deepEqual(await database.rows('SHOW TABLES'), []);
    await migrate(sequelize);
    assert.equal(await isMigrated(sequelize), true);
    const first = await database.schema();
    await (await migrator(sequelize)).down({ to: 0 });
    assert.deepEqual(await database.schema(), {});
    await migrate(sequelize);
    assert.deepEqual(await database.schema(), first);
  });

  it('refuse a database from before the first release, and change nothing in it', async () => {
    const older = await createScratchDatabase();
    const connection = connectModels(older.url);
    await older.rows('CREATE TABLE migrations (name VARCHAR(255) NOT NULL PRIMARY KEY)');
    await older.rows("INSERT INTO migrations (name) VALUES ('2026-11-25-1046-create-baseline')");
    await assert.rejects(migrate(connection), /made before version 0\.1\.0.*start with an empty database/);
    assert.deepEqual(Object.keys(await older.schema()), []);
    assert.equal(await isMigrated(connection), false);
    await connection.close();
    await older.drop();
  });

  it('give nothing a name that only MySQL or only MariaDB takes unquoted', async () => {
    const columns = await database.rows(
      'SELECT table_name AS tableName, column_name AS columnName FROM information_schema.columns WHERE table_schema = DATABASE()',
    );
    assert.ok(columns.length > 100);
    const names = new Set(columns.flatMap(({ tableName, columnName }) => [String(tableName), String(columnName)]));
    assert.deepEqual(
      RESERVED.filter((word) => names.has(word)),
      [],
    );
  });

  it('go on when a server of a cluster takes statements back for the moment', async () => {
    await (await migrator(sequelize)).down({ to: 0 });
    await database.rows('DROP TABLE migrations, migration_lease');
    const unlucky = connectModels(database.url);
    const query = unlucky.query.bind(unlucky);
    let refused = 0;
    const seen = new Set<string>();
    const refusing = async (sql: string, options?: object) => {
      // The first six, among them those that take the lease, then some of each kind.
      const isNew = seen.size < seen.add(sql).size;
      if (!isNew || (seen.size > 6 && seen.size % 4 > 0)) return query(sql, options);
      refused += 1;
      throw Object.assign(new Error('Deadlock found'), { code: 'ER_LOCK_DEADLOCK', errno: 1213, sqlState: '40001' });
    };
    unlucky.query = refusing as typeof unlucky.query; // one signature for its many
    await migrate(unlucky, { leaseMs: 15_000, waitMs: 60_000, pollMs: 5 });
    await unlucky.close();
    assert.ok(refused > 20, `${refused} statements`);
    assert.equal(await isMigrated(sequelize), true);
  });

  it('are applied once when several processes ask at the same time', async () => {
    await (await migrator(sequelize)).down({ to: 0 });
    await Promise.all([migrate(sequelize), migrate(sequelize), migrate(sequelize)]);
    const rows = await database.rows('SELECT name FROM migrations ORDER BY name');
    assert.deepEqual(
      rows.map((row) => row.name),
      migrations.map((migration) => migration.name).sort(),
    );
  });

  // Each of them is a model of another type: here only their columns matter.
  for (const model of models as readonly ModelStatic<Model>[]) {
    it(`give ${model.name} the columns that it names`, async () => {
      await migrate(sequelize);
      const columns = await database.rows(`SHOW COLUMNS FROM ${model.getTableName()}`);
      const stored = columns.map(({ Field, Null }) => `${Field} ${Null === 'YES' ? 'may be null' : 'is set'}`);
      const named = Object.values(model.getAttributes()).map(
        ({ field, allowNull, primaryKey }) =>
          `${field} ${allowNull === false || primaryKey ? 'is set' : 'may be null'}`,
      );
      assert.deepEqual(named.sort(), stored.sort());
    });
  }
});
