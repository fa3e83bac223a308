import 'reflect-metadata';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';
import type { Model, ModelStatic, Sequelize } from 'sequelize';
import { isMigrated, migrate, migrations, migrator } from '../../src/migrations';
import { connectModels, models } from '../../src/models';

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
