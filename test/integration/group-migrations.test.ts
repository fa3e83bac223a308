import assert from 'node:assert/strict';
import type { Sequelize } from 'sequelize';
import { migrate } from '../../src/storage/migrations';
import { migrator } from '../../src/storage/migrations/migrator';
import { connectModels } from '../../src/storage/models';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database';

describe('the migrations of groups', () => {
  let database: ScratchDatabase;
  let sequelize: Sequelize;

  before(async () => {
    database = await createScratchDatabase();
    sequelize = connectModels(database.url);
    await migrate(sequelize);
    await (await migrator(sequelize)).down({ to: '2026-11-25-0200-keep-agreed-details' });
    await database.rows(`INSERT INTO users (id, uuid, username, username_key, email, password_hash, created_ms)
      VALUES (1, '1', 'a', 'a', '', '', 0), (2, '2', 'b', 'b', '', '', 0)`);
    await database.rows(`INSERT INTO user_groups (id, name, description, anonymous, required_sensors, optional_sensors, created_ms)
      VALUES (1, 'open', '', FALSE, '["position"]', '["light \\\\"é\\\\""]', 0), (2, 'anonymous', '', TRUE, '[]', '[]', 0)`);
    await database.rows(`INSERT INTO group_users VALUES
      (1, 1, TRUE, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, '[]', 0),
      (2, 1, TRUE, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, '[]', 0),
      (1, 2, FALSE, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, '[12, 16, 99]', 0),
      (2, 2, FALSE, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, '[]', 0)`);
    await database.rows(`INSERT INTO sensors (id, owner_id, name, data_structure, created_ms) VALUES
      (11, 2, 'position', '', 0), (12, 2, 'position', '', 0), (13, 2, 'light "é"', '', 0), (14, 2, 'light "é"', '', 0),
      (15, 2, 'Position', '', 0), (16, 2, 'mood', '', 0), (17, 2, 'diary', '', 0), (18, 1, 'position', '', 0)`);
  });
  after(async () => {
    await sequelize.close();
    await database.drop();
  });

  it('let existing members show what they showed', async () => {
    await migrate(sequelize);
    const rows = await database.rows(
      'SELECT agreed_id, agreed_surname, agreed_email, agreed_country FROM group_users WHERE accepted ORDER BY group_id',
    );
    assert.deepEqual(rows.map(Object.values), [
      [1, 1, 0, 1],
      [0, 0, 0, 0],
    ]);
  });

  it('fix the sensors of users who wait: those that they offered, and those that the group asks for', async () => {
    const read = async () => {
      const rows = await database.rows(
        'SELECT offered_sensors AS ids FROM group_users WHERE user_id = 2 ORDER BY group_id',
      );
      return rows.map(({ ids }) => JSON.parse(String(ids)).sort());
    };
    const fixed = [[12, 13, 14, 16], []];
    assert.deepEqual(await read(), fixed);
    const again = { migrations: ['2026-11-25-0310-fix-sensors-when-users-ask'] };
    await (await migrator(sequelize)).down(again);
    await (await migrator(sequelize)).up(again);
    assert.deepEqual(await read(), fixed, 'a repetition changes nothing');
  });
});
