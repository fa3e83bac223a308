import 'reflect-metadata';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';
import type { Model, ModelStatic, Sequelize } from 'sequelize';
import { isMigrated, migrate, migrations, migrator } from '../../src/migrations';
import { connectModels, models } from '../../src/models';

/** Reserved in MySQL from 8.0 to 9.7 and not in MariaDB, or the other way round (the keyword pages of their manuals). */
const RESERVED =
  `cube cume_dist dense_rank empty except first_value function grouping groups intersect json_table lag last_value
  lateral lead library manual nth_value ntile of over parallel percent_rank qualify rank recursive row row_number rows system
  tablesample virtual window current_role delete_domain_id do_domain_ids ignore_domain_ids ignore_server_ids offset
  page_checksum parse_vcol_expr ref_system_id returning slow stats_auto_recalc stats_persistent stats_sample_pages`.split(
    /\s+/,
  );

describe('the migrations', () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  let server: Connection;
  let sequelize: Sequelize;

  before(async () => {
    const url = new URL(String(process.env.MYSQL_URL));
    server = await mysql.createConnection(url.href);
    await server.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
    await server.query(`USE ${name}`);
    url.pathname = `/${name}`;
    sequelize = connectModels(url.href);
  });
  after(async () => {
    await sequelize.close();
    await server.query(`DROP DATABASE ${name}`);
    await server.end();
  });

  /** The definition of every table but the one that lists the migrations. */
  const schema = async (): Promise<Record<string, string>> => {
    const [tables] = await server.query<RowDataPacket[]>('SHOW TABLES');
    const definitions: Record<string, string> = {};
    for (const table of tables.flatMap((row) => Object.values(row)).filter((table) => table !== 'migrations')) {
      const [[row]] = await server.query<RowDataPacket[]>(`SHOW CREATE TABLE ${table}`);
      definitions[table] = String(row?.['Create Table']).replace(/ AUTO_INCREMENT=\d+/, '');
    }
    return definitions;
  };

  it('go up, down to nothing, and up to the same schema', async () => {
    assert.equal(await isMigrated(sequelize), false);
    await migrate(sequelize);
    assert.equal(await isMigrated(sequelize), true);
    const first = await schema();
    await migrator(sequelize).down({ to: 0 });
    assert.deepEqual(await schema(), {});
    await migrate(sequelize);
    assert.deepEqual(await schema(), first);
  });

  it('give nothing a name that only MySQL or only MariaDB takes unquoted', async () => {
    const [columns] = await server.query<RowDataPacket[]>(
      `SELECT table_name AS tableName, column_name AS columnName FROM information_schema.columns WHERE table_schema = ?`,
      [name],
    );
    assert.ok(columns.length > 100);
    const names = new Set(columns.flatMap(({ tableName, columnName }) => [String(tableName), String(columnName)]));
    assert.deepEqual(
      RESERVED.filter((word) => names.has(word)),
      [],
    );
  });

  it('are done once, whoever asks at the same time', async () => {
    await migrator(sequelize).down({ to: 0 });
    await Promise.all([migrate(sequelize), migrate(sequelize), migrate(sequelize)]);
    const [rows] = await server.query<RowDataPacket[]>('SELECT name FROM migrations ORDER BY name');
    assert.deepEqual(
      rows.map((row) => row.name),
      migrations.map((migration) => migration.name).sort(),
    );
  });

  // Each of them is a model of another kind: here they only tell of their columns.
  for (const model of models as readonly ModelStatic<Model>[]) {
    it(`give ${model.name} the columns that it names`, async () => {
      await migrate(sequelize);
      const [columns] = await server.query<RowDataPacket[]>(`SHOW COLUMNS FROM ${model.getTableName()}`);
      const stored = columns.map(({ Field, Null }) => `${Field} ${Null === 'YES' ? 'may be null' : 'is set'}`);
      const named = Object.values(model.getAttributes()).map(
        ({ field, allowNull, primaryKey }) =>
          `${field} ${allowNull === false || primaryKey ? 'is set' : 'may be null'}`,
      );
      assert.deepEqual(named.sort(), stored.sort());
    });
  }
});
