import 'reflect-metadata';
import assert from 'node:assert/strict';
import type { Model, ModelStatic, Sequelize } from 'sequelize';
import { unpack } from '../../src/inbox/inbox-batch';
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
      if (!isNew || (seen.size > 6 && seen.size % 9 > 0)) return query(sql, options);
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

  it('keep the points that wait, up and down', async () => {
    const pack = [
      '2026-11-26-0200-drop-the-old-inbox',
      '2026-11-26-0110-move-what-waits',
      '2026-11-26-0100-pack-the-inbox',
    ];
    await (await migrator(sequelize)).down({ migrations: pack });
    const value = '{"text":"a \\\\ \'quoted\' \\"word\\" ✓ 😀\\n"}';
    await sequelize.query(
      `INSERT INTO inbox (partition_no, sensor_id, owner_id, date_ms, value, received_ms, stored_ms)
       VALUES (1, 9, 3, 253402300799999, ?, 5, 6)`,
      { replacements: [value] },
    );
    await migrate(sequelize);
    const [batch] = await database.rows(
      'SELECT owner_id AS ownerId, stored_ms AS storedMs, sensor_ids, content FROM inbox_batches',
    );
    assert.equal(batch?.sensor_ids, '[9]');
    assert.deepEqual(unpack(Number(batch?.ownerId), Number(batch?.storedMs), String(batch?.content)), [
      { sensorId: 9, ownerId: 3, dateMs: 253402300799999, value, receivedMs: 5, storedMs: 6 },
    ]);
    await (await migrator(sequelize)).down({ migrations: pack });
    const [row] = await database.rows(
      'SELECT partition_no, sensor_id, owner_id, date_ms, value, received_ms, stored_ms FROM inbox',
    );
    assert.deepEqual(
      { ...row },
      { partition_no: 1, sensor_id: 9, owner_id: 3, date_ms: 253402300799999, value, received_ms: 5, stored_ms: 6 },
    );
    await database.rows('DELETE FROM inbox');
    await migrate(sequelize);
  });

  it('keep the rows of what they rename, up and down', async () => {
    const rename = { migrations: ['2026-11-23-0100-rename-to-standard-terms'] };
    await (await migrator(sequelize)).down(rename);
    await database.rows(
      "INSERT INTO ailing_receivers (receiver, since_ms, failures) VALUES ('slow.example:443', 7, 3)",
    );
    await database.rows(
      `INSERT INTO users (uuid, username, username_key, email, password_hash, created_ms) VALUES ('', 'a', 'a', '', '', 0)`,
    );
    await database.rows(
      "INSERT INTO sensors (owner_id, name, data_structure, created_ms) SELECT id, 's', '', 0 FROM users",
    );
    await database.rows("INSERT INTO triggers (owner_id, name, created_ms) SELECT id, 't', 0 FROM users");
    await database.rows(
      `INSERT INTO sensor_triggers (sensor_id, trigger_id, silent_since_ms, created_ms)
       SELECT s.id, t.id, 5, 0 FROM sensors s JOIN triggers t`,
    );
    await database.rows(
      "INSERT INTO services (id, name, settings, memory, created_ms) SELECT id, '', '', '', 0 FROM sensors",
    );
    await database.rows(
      "INSERT INTO learnings (service_id, label, start_ms, end_ms, points, created_ms) SELECT id, 'walking', 1, 2, 3, 4 FROM services",
    );
    const stored = async (receivers: string, jobs: string, column: string) => [
      (await database.rows(`SELECT receiver, since_ms, failures FROM ${receivers}`))[0],
      (await database.rows(`SELECT label, points FROM ${jobs}`))[0],
      (await database.rows(`SELECT ${column} AS ms FROM sensor_triggers`))[0],
    ];
    const rows = [
      { receiver: 'slow.example:443', since_ms: 7, failures: 3 },
      { label: 'walking', points: 3 },
      { ms: 5 },
    ];
    await migrate(sequelize);
    assert.deepEqual(await stored('degraded_receivers', 'training_jobs', 'inactive_since_ms'), rows);
    await (await migrator(sequelize)).down(rename);
    assert.deepEqual(await stored('ailing_receivers', 'learnings', 'silent_since_ms'), rows);
    await migrate(sequelize);
    await database.rows('DELETE FROM users');
    assert.deepEqual(await database.rows('SELECT id FROM training_jobs'), []);
  });

  it('count addresses that mails go to as confirmed, and keep those unsubscribed that have unsubscribed', async () => {
    await migrate(sequelize);
    await (await migrator(sequelize)).down({ migrations: ['2026-11-25-0300-ask-recipients-of-mails'] });
    await database.rows('DELETE FROM users');
    await database.rows(
      `INSERT INTO users (uuid, username, username_key, email, password_hash, created_ms)
       VALUES ('', 'b', 'b', 'Own@example.org', '', 0), ('', 'c', 'c', '', '', 0)`,
    );
    await database.rows(
      `INSERT INTO notifications (owner_id, type, text, destination, signing_secret, created_ms, enabled, disabled_reason)
       SELECT id, t.type, '', t.destination, '', 5, t.reason IS NULL, t.reason FROM users JOIN (
         SELECT 'email' AS type, 'Ward@example.org' AS destination, NULL AS reason UNION ALL
         SELECT 'email', 'ward@example.org', NULL UNION ALL SELECT 'email', 'no@example.org', NULL UNION ALL
         SELECT 'email', 'no@example.org', 'unsubscribed' UNION ALL SELECT 'url', 'http://x.example/', NULL) t
       WHERE username = 'b'`,
    );
    await migrate(sequelize);
    const recipients = await database.rows(
      `SELECT address, confirmed_ms AS confirmed, unsubscribed_ms AS unsubscribed, LENGTH(secret) AS length
       FROM mail_recipients ORDER BY address`,
    );
    assert.deepEqual(recipients, [
      { address: 'no@example.org', confirmed: 5, unsubscribed: 5, length: 64 },
      { address: 'own@example.org', confirmed: 0, unsubscribed: null, length: 64 },
      { address: 'ward@example.org', confirmed: 5, unsubscribed: null, length: 64 },
    ]);
    const secrets = await database.rows('SELECT DISTINCT secret FROM mail_recipients');
    assert.equal(secrets.length, 3);
    await database.rows('DELETE FROM users');
    assert.deepEqual(await database.rows('SELECT id FROM mail_recipients'), []);
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
