import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { Sequelize } from 'sequelize';
import { migrate } from '../../src/storage/migrations';
import { migrations } from '../../src/storage/migrations/all';
import { migrator } from '../../src/storage/migrations/migrator';
import { connectMortal } from '../support/mortal-sequelize';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database';

const NAME = '2026-11-26-0300-slim-data-points';
const BEFORE = migrations[migrations.findIndex(({ name }) => name === NAME) - 1]?.name ?? '';
const UNKNOWN = 2_147_483_647;
const NOW = 1_795_229_544_321;
const LAST_DATE_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** The leases of processes that were killed expire soon. */
const SHORT = { leaseMs: 300, waitMs: 30_000, pollMs: 20 };

/** Date and arrival of each point of a sensor: early, late, at once, and as far apart as they can be. */
const EXTREMES = [
  [0, NOW],
  [1, NOW],
  [NOW - 86_400_000, NOW],
  [NOW - 1_001, NOW],
  [NOW - 1_000, NOW],
  [NOW - 1, NOW],
  [NOW, NOW],
  [NOW + 1, NOW],
  [NOW + 999, NOW],
  [NOW + 1_000, NOW],
  [NOW + 3_600_000, NOW],
] as const;
const SENSORS = 7;
const POINTS_OF_A_SENSOR = 2_000;

describe('data points that are stored in the layout before', () => {
  let database: ScratchDatabase;
  let sequelize: Sequelize;

  beforeEach(async () => {
    database = await createScratchDatabase();
    sequelize = new Sequelize(database.url, { dialect: 'mysql', logging: false });
    await (await migrator(sequelize)).up({ to: BEFORE });
    await insert(EXTREMES.map(([dateMs, receivedMs], index) => [90, dateMs, `"${index}" é`, receivedMs]));
    for (let sensorId = 1; sensorId <= SENSORS; sensorId += 1) {
      await insert(
        Array.from({ length: POINTS_OF_A_SENSOR }, (_, index) => {
          const dateMs = NOW + index * 250;
          return [sensorId, dateMs, `${sensorId}.${index}`, dateMs + ((index * 7_919) % 600_000) - 20_000];
        }),
      );
    }
  });
  afterEach(async () => {
    await sequelize.close();
    await database.drop();
  });

  const insert = (rows: unknown[][], connection = database.connection) =>
    connection.query('INSERT INTO data_points (sensor_id, date_ms, value, received_ms) VALUES ?', [rows]);
  /** All points by sensor and date, with their arrival. */
  const points = (arrival: string) =>
    database.rows(
      `SELECT sensor_id, date_ms, value, ${arrival} AS arrivalMs FROM data_points ORDER BY sensor_id, date_ms`,
    );
  const requireKept = (before: Awaited<ReturnType<typeof points>>, after: typeof before) => {
    assert.equal(after.length, before.length);
    for (const [index, row] of after.entries()) {
      const old = before[index];
      assert.deepEqual({ ...row, arrivalMs: 0 }, { ...old, arrivalMs: 0 });
      const late = Number(row.arrivalMs) - Number(old?.arrivalMs);
      assert.ok(late >= 0 && late < 1_000, JSON.stringify([row, old]));
    }
  };

  it('keep their values, dates and, to the second, arrivals, up and down', async () => {
    const before = await points('received_ms');
    assert.equal(before.length, SENSORS * POINTS_OF_A_SENSOR + EXTREMES.length);
    await migrate(sequelize);
    requireKept(before, await points('date_ms + delay_s * 1000'));
    await (await migrator(sequelize)).down({ to: NAME });
    const future = await database.rows('SELECT UNIX_TIMESTAMP() * 1000 AS ms');
    const known = before.filter(({ arrivalMs }) => arrivalMs < Number(future[0]?.ms) - 1_000);
    const down = new Map((await points('received_ms')).map((row) => [`${row.sensor_id} ${row.date_ms}`, row]));
    requireKept(
      known,
      known.map((row) => ({ ...row, ...down.get(`${row.sensor_id} ${row.date_ms}`) })),
    );
    const [ids] = await database.rows('SELECT COUNT(DISTINCT id) AS ids, MIN(id) AS first FROM data_points');
    assert.deepEqual([Number(ids?.ids), Number(ids?.first)], [before.length, 1]);
  });

  it('keep an arrival that is too far from its date for the column as the farthest there is', async () => {
    await insert([[91, LAST_DATE_MS, 'far', NOW]]);
    await migrate(sequelize);
    const [row] = await database.rows('SELECT value, delay_s FROM data_points WHERE sensor_id = 91');
    assert.deepEqual({ ...row }, { value: 'far', delay_s: -UNKNOWN });
  });

  it('are all there when the process is killed after each of its statements', async () => {
    const before = await points('received_ms');
    const died: string[] = [];
    for (let lives = 1; ; lives += 1) {
      assert.ok(lives < 20, died.join('\n'));
      const seen: string[] = [];
      const mortal = connectMortal(database.url, (sql) => {
        if (/^(ALTER TABLE|UPDATE) data_points/.test(sql)) seen.push(sql);
        return seen.length === died.length + 1;
      });
      await (await migrator(mortal.sequelize)).up().catch(() => undefined);
      if (!mortal.isDead()) {
        await mortal.sequelize.close();
        break;
      }
      died.push(seen.at(-1) ?? '');
    }
    assert.ok(died.length >= 3, died.join('\n'));
    await migrate(sequelize, SHORT);
    requireKept(before, await points('date_ms + delay_s * 1000'));
  });

  it('are joined by those that processes of the version before store meanwhile', async () => {
    const connection = await mysql.createConnection(database.url);
    const stored: number[] = [];
    let refusal: unknown;
    const store = async () => {
      for (let dateMs = NOW; refusal === undefined; dateMs += 1) {
        await insert([[50, dateMs, 'new', dateMs]], connection).then(
          () => stored.push(dateMs),
          (error: { code?: string }) => {
            refusal = error.code;
          },
        );
        await sleep(1);
      }
    };
    const storing = store();
    await sleep(50);
    await migrate(sequelize);
    await storing;
    await connection.end();
    assert.equal(refusal, 'ER_BAD_FIELD_ERROR');
    const rows = await database.rows('SELECT date_ms, delay_s FROM data_points WHERE sensor_id = 50 ORDER BY date_ms');
    assert.deepEqual(
      rows.map((row) => Number(row.date_ms)),
      stored,
    );
    const delays = new Set(rows.map(({ delay_s }) => delay_s));
    assert.ok(
      [...delays].every((delay) => delay === 0 || delay === UNKNOWN),
      [...delays].join(),
    );
  });
});
