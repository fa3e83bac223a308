import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { QueryTypes, Sequelize } from 'sequelize';
import { RerunBehavior } from 'umzug';
import { migrate } from '../../src/storage/migrations';
import { migrations } from '../../src/storage/migrations/all';
import { migrator } from '../../src/storage/migrations/migrator';
import { startMigratingProcess } from '../support/migrating-process';
import { connectMortal } from '../support/mortal-sequelize';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database';
import { until } from '../support/until';

/** Lets the lease of a killed process expire soon. */
const SHORT = { leaseMs: 300, waitMs: 30_000, pollMs: 20 };

const IS_READ = /^\s*SELECT\b/;

describe('a migration whose process is killed', () => {
  let database: ScratchDatabase;
  let sequelize: Sequelize;

  beforeEach(async () => {
    database = await createScratchDatabase();
    sequelize = connect(database);
  });
  afterEach(async () => {
    await sequelize.close();
    await database.drop();
  });

  const connect = ({ url }: ScratchDatabase) => new Sequelize(url, { dialect: 'mysql', logging: false });
  const stateOf = async (database: ScratchDatabase, sequelize: Sequelize) => ({
    schema: await database.schema(),
    applied: (await (await migrator(sequelize)).executed()).map(({ name }) => name),
  });
  const state = () => stateOf(database, sequelize);
  /** What an undisturbed run makes: nothing, and the state after each migration. */
  const undisturbedStates = async () => {
    const elsewhere = await createScratchDatabase();
    const sequelize = connect(elsewhere);
    const states = [await stateOf(elsewhere, sequelize)];
    for (const { name } of migrations) {
      await (await migrator(sequelize)).up({ to: name });
      states.push(await stateOf(elsewhere, sequelize));
    }
    await sequelize.close();
    await elsewhere.drop();
    return states;
  };

  /** Whether a process that is killed right after its `count`-th change dies before its work is done. */
  const isKilledAfter = async (count: number, work: (sequelize: Sequelize) => Promise<unknown>) => {
    let changes = 0;
    const mortal = connectMortal(database.url, (sql) => {
      if (!IS_READ.test(sql)) changes += 1;
      return changes === count;
    });
    await work(mortal.sequelize).catch((error) => {
      if (!mortal.isDead()) throw error;
    });
    if (!mortal.isDead()) await mortal.sequelize.close();
    return mortal.isDead();
  };
  /** Does the work in many processes: each is killed right after the first statement that makes a difference. Returns their number. */
  const inShortLives = async (work: (sequelize: Sequelize) => Promise<unknown>) => {
    let count = 1;
    for (let lives = 1; ; lives += 1) {
      const before = await state();
      if (!(await isKilledAfter(count, work))) return lives;
      // A statement that repeats one of the process before makes none: the next process lives for one more.
      count = isDeepStrictEqual(await state(), before) ? count + 1 : 1;
      assert.ok(count < 10, `nothing has changed in ${count} statements`);
    }
  };

  it('goes on from any statement, up or down, and ends as if nothing had happened', async () => {
    const states = await undisturbedStates();
    const once = (name: string) => ({ migrations: [name], rerun: RerunBehavior.SKIP });
    let lives = 0;
    for (const [index, { name }] of migrations.entries()) {
      lives += await inShortLives(async (mortal) => (await migrator(mortal)).up(once(name)));
      assert.deepEqual(await state(), states[index + 1], `${name}, up`);
    }
    for (const [index, { name }] of [...migrations.entries()].reverse()) {
      lives += await inShortLives(async (mortal) => (await migrator(mortal)).down(once(name)));
      assert.deepEqual(await state(), states[index], `${name}, down`);
    }
    assert.ok(lives > 120, `${lives} processes`);
  });

  it('leaves a lease that expires, even when it was killed while taking or releasing it', async () => {
    const whole = await migratedElsewhere();
    for (const last of [
      /CREATE TABLE IF NOT EXISTS migration_lease/,
      /INSERT IGNORE INTO migration_lease/,
      /UPDATE migration_lease/,
      /CREATE TABLE users/,
      /UPDATE migration_lease SET owner = ''/,
    ]) {
      const mortal = connectMortal(database.url, (sql) => last.test(sql));
      await migrate(mortal.sequelize, SHORT).catch(() => undefined);
      assert.equal(mortal.isDead(), true, `${last}`);
    }
    await migrate(sequelize, SHORT);
    assert.deepEqual(await database.schema(), whole);
  });

  it('goes on after kill -9 at random moments', async () => {
    const whole = await migratedElsewhere();
    const moments = Array.from({ length: 4 }, () => randomInt(5, 30));
    const ends: unknown[] = [];
    for (const moment of moments) {
      const killed = await startMigratingProcess(database.url, SHORT);
      killed.begin();
      await killed.sent(moment).catch(() => undefined); // the last one may find little left to do
      killed.kill('SIGKILL');
      ends.push(await killed.ended);
    }
    assert.equal(ends[0], 'SIGKILL');
    const last = await startMigratingProcess(database.url, SHORT);
    last.begin();
    assert.equal(await last.ended, 0, `after ${moments}: ${last.lines.at(-1)}`);
    assert.deepEqual(await database.schema(), whole, `after ${moments}`);
  });

  it('waits for the statement that the killed process left running in the server', async () => {
    const whole = await migratedElsewhere();
    const dead = connectMortal(database.url, (sql) => /CREATE TABLE user_hours/.test(sql)); // the last one
    await migrate(dead.sequelize, SHORT).catch(() => undefined);
    await database.connection.beginTransaction();
    await database.rows('SELECT * FROM data_points'); // no statement changes the table as long as this transaction is open
    const killed = await startMigratingProcess(database.url, SHORT);
    killed.begin();
    await until('the killed process waits in the server', async () => (await waitingStatements()) === 1);
    killed.kill('SIGKILL');
    await killed.ended;
    const migrated = migrate(sequelize, SHORT);
    await until('the next process waits, too', async () => (await waitingStatements()) === 2);
    await database.connection.commit();
    await migrated;
    assert.deepEqual(await database.schema(), whole);
  });

  const waitingStatements = async () => {
    const [row] = await sequelize.query<{ count: number }>(
      `SELECT COUNT(*) AS count FROM information_schema.processlist WHERE db = DATABASE() AND state LIKE '%metadata lock%'`,
      { type: QueryTypes.SELECT },
    );
    return row?.count;
  };
  /** The schema after a migration that nothing disturbed. */
  const migratedElsewhere = async () => {
    const elsewhere = await createScratchDatabase();
    const sequelize = connect(elsewhere);
    await migrate(sequelize);
    const schema = await elsewhere.schema();
    await sequelize.close();
    await elsewhere.drop();
    return schema;
  };
});
