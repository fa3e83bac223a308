import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Sequelize } from 'sequelize';
import { isMigrated, migrate } from '../../src/storage/migrations';
import { migrations } from '../../src/storage/migrations/all';
import { createBaseline } from '../../src/storage/migrations/baseline';
import { FORMER_MIGRATIONS } from '../../src/storage/migrations/baseline/former-release';
import { migrator } from '../../src/storage/migrations/migrator';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database';

/** Every statement that made the tables of the former release, as its server printed them, and the rows that were in them. */
const FORMER_SCHEMA = readFileSync(join(__dirname, '../support/schema-of-d60f6fe.sql'), 'utf8');

/** The names under which the first migrations after the baseline were applied until they were renamed. */
const FORMER_NAMES = [
  '2026-11-30-0580-refuse-mails-to-mailboxes',
  '2026-11-30-0581-hide-names-of-blocked-users',
  '2026-11-30-0582-compare-looks-of-usernames',
  '2026-12-01-0001-create-server-dates',
];

/** The views of the information schema with what they say of a schema, in a fixed order. */
const VIEWS: Readonly<Record<string, string>> = {
  tables: 'table_name, table_type, engine, row_format, table_collation, create_options, table_comment',
  columns: `table_name, ordinal_position, column_name, column_default, is_nullable, column_type, character_set_name,
            collation_name, column_key, extra`,
  statistics: 'table_name, index_name, seq_in_index, column_name, non_unique, sub_part, collation, index_type',
  table_constraints: 'table_name, constraint_name, constraint_type',
  key_column_usage: `table_name, constraint_name, ordinal_position, column_name, referenced_table_name,
                     referenced_column_name`,
};
const REFERENCES =
  'table_name, constraint_name, referenced_table_name, unique_constraint_name, update_rule, delete_rule';
const OBJECTS = ['views.table_schema', 'triggers.trigger_schema', 'events.event_schema', 'routines.routine_schema'];
/** The text of the stream's head that differs in every database. */
const RANDOM = 'epoch';

describe('the baseline of the migrations', () => {
  const databases: ScratchDatabase[] = [];
  const connections: Sequelize[] = [];

  afterEach(async () => {
    for (const connection of connections.splice(0)) await connection.close();
    for (const database of databases.splice(0)) await database.drop();
  });

  const emptyDatabase = async () => {
    const database = await createScratchDatabase();
    databases.push(database);
    const statements: string[] = [];
    const logging = (sql: string) => statements.push(sql.replace(/^Executing \([^)]*\): /, ''));
    const sequelize = new Sequelize(database.url, { dialect: 'mysql', logging });
    connections.push(sequelize);
    const record = async (names: readonly string[]) => {
      await database.rows('CREATE TABLE IF NOT EXISTS migrations (name VARCHAR(255) NOT NULL PRIMARY KEY)');
      if (names.length > 0)
        await database.rows('INSERT INTO migrations (name) VALUES ?', [names.map((name) => [name])]);
    };
    const recorded = async () => (await database.rows('SELECT name FROM migrations')).map(({ name }) => String(name));
    /** The statements so far that change tables of the platform. */
    const changes = () => statements.filter((sql) => /^(CREATE|ALTER|DROP|RENAME)/.test(sql) && !/migration/.test(sql));
    return { database, sequelize, record, recorded, changes };
  };
  const formerDatabase = async (names: readonly string[] = FORMER_MIGRATIONS) => {
    const former = await emptyDatabase();
    await former.database.rows('SET FOREIGN_KEY_CHECKS = 0');
    for (const statement of FORMER_SCHEMA.split(/;\n+/).filter(Boolean)) await former.database.rows(statement);
    await former.database.rows('SET FOREIGN_KEY_CHECKS = 1');
    await former.record(names);
    return former;
  };
  const migrated = async () => {
    const fresh = await emptyDatabase();
    await migrate(fresh.sequelize);
    return fresh;
  };

  it('makes the tables, columns, indexes, constraints and rows that the former migrations made', async () => {
    const former = await formerDatabase();
    const fresh = await emptyDatabase();
    await (await migrator(fresh.sequelize)).up({ to: createBaseline.name });
    const content = await contentOf(former.database);
    assert.ok(content.columns?.length, 'the fixture has columns');
    assert.deepEqual(await contentOf(fresh.database), content);
  });

  it('is recorded, and not run, where all migrations of the former release are applied', async () => {
    const { database, sequelize, recorded, changes } = await formerDatabase();
    await database.rows(`INSERT INTO users (id, uuid, username, username_key, email, password_hash, created_ms)
      VALUES (1, '1', 'ada', 'ada', '', '', 0), (2, '2', 'bob', 'bob', '', '', 0)`);
    await database.rows('INSERT INTO user_blocks (user_id, blocked_id, created_ms) VALUES (1, 2, 0)');
    assert.equal(await isMigrated(sequelize), false);
    await migrate(sequelize);
    assert.equal(await isMigrated(sequelize), true);
    const made = changes().map((sql) => sql.split(' ').slice(0, 3).join(' '));
    assert.ok(!made.includes('CREATE TABLE users'), 'the baseline does not run');
    assert.deepEqual(made.slice(0, 5), [
      'CREATE TABLE refused_mailboxes',
      'ALTER TABLE user_blocks',
      'ALTER TABLE users',
      'ALTER TABLE users',
      'CREATE TABLE server_dates',
    ]);
    assert.deepEqual(await recorded(), [...FORMER_MIGRATIONS, ...migrations.map(({ name }) => name)].sort());
    assert.deepEqual(await database.schema(), await (await migrated()).database.schema());
    assert.deepEqual((await database.rows('SELECT username, username_looks AS looks FROM users')).map(Object.values), [
      ['ada', null],
      ['bob', null],
    ]);
    assert.deepEqual((await database.rows('SELECT blocked_id, knows_name FROM user_blocks')).map(Object.values), [
      [2, 1],
    ]);
  });

  it('changes nothing where the later migrations are applied under their former names', async () => {
    const { database, sequelize, record, recorded, changes } = await migrated();
    const former = [...FORMER_MIGRATIONS, ...FORMER_NAMES];
    await database.rows('DELETE FROM migrations');
    await record(former);
    const [content, before] = [await contentOf(database), changes().length];
    await migrate(sequelize);
    assert.equal(await isMigrated(sequelize), true);
    assert.deepEqual(changes().slice(before), []);
    assert.deepEqual(await contentOf(database), content);
    assert.deepEqual(await recorded(), [...former, ...migrations.map(({ name }) => name)].sort());
  });

  it('is refused, and nothing changes, where only some migrations of the former release are applied', async () => {
    const some = FORMER_MIGRATIONS.slice(0, -1);
    const { sequelize, recorded, changes } = await formerDatabase(some);
    await assert.rejects(
      migrate(sequelize),
      /older than the release of commit d60f6fe: it has 53 of its 54 migrations\. Migrate the database with that release/,
    );
    assert.deepEqual(changes(), []);
    assert.deepEqual(await recorded(), [...some]);
    assert.equal(await isMigrated(sequelize), false);
  });
});

/** All that a database has but the records of its migrations. */
async function contentOf({ rows, schema }: ScratchDatabase): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = {};
  const isOwn = ({ table_name: table }: Record<string, unknown>) => !/^migration/.test(String(table));
  const read = async (view: string, columns: string, schemaColumn = 'table_schema') => {
    const names = columns.split(',').map((column) => `${column.trim()} AS ${column.trim()}`);
    const [first = '', second = '', third = ''] = columns.split(',');
    const order = [first, second, view === 'statistics' || view === 'key_column_usage' ? third : ''].filter(Boolean);
    const sql = `SELECT ${names} FROM information_schema.${view} WHERE ${schemaColumn} = DATABASE() ORDER BY ${order}`;
    content[view] = (await rows(sql)).filter(isOwn);
  };
  for (const [view, columns] of Object.entries(VIEWS)) await read(view, columns);
  await read('referential_constraints', REFERENCES, 'constraint_schema');
  for (const place of OBJECTS) {
    const [view = '', column] = place.split('.');
    content[view] = await rows(`SELECT 1 FROM information_schema.${view} WHERE ${column} = DATABASE()`);
  }
  for (const table of Object.keys(await schema())) {
    const [created] = await rows(`SHOW CREATE TABLE ${table}`);
    content[`definition of ${table}`] = String(created?.['Create Table']).split('\n');
    content[`rows of ${table}`] = (await rows(`SELECT * FROM ${table}`)).map((row) => ({ ...row, [RANDOM]: '' }));
  }
  return content;
}
