import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { countIn, metatagsOf, runImportCommand, sensorNamed, sensorsByName, storedIn } from '../support/import-command';

/**
 * The tables of schema 41, as SQLAlchemy writes them for SQLite from
 * https://github.com/home-assistant/core/blob/dev/homeassistant/components/recorder/db_schema.py
 */
const SCHEMA = `
CREATE TABLE event_types (event_type_id INTEGER NOT NULL, event_type VARCHAR(64), PRIMARY KEY (event_type_id));
CREATE TABLE events (
  event_id INTEGER NOT NULL, event_type CHAR(0), event_data CHAR(0), origin CHAR(0), origin_idx SMALLINT, time_fired CHAR(0),
  time_fired_ts FLOAT, context_id CHAR(0), context_user_id CHAR(0), context_parent_id CHAR(0), data_id INTEGER,
  context_id_bin BLOB, context_user_id_bin BLOB, context_parent_id_bin BLOB, event_type_id INTEGER, PRIMARY KEY (event_id),
  FOREIGN KEY(event_type_id) REFERENCES event_types (event_type_id));
CREATE TABLE state_attributes (attributes_id INTEGER NOT NULL, hash BIGINT, shared_attrs TEXT, PRIMARY KEY (attributes_id));
CREATE TABLE states_meta (metadata_id INTEGER NOT NULL, entity_id VARCHAR(255), PRIMARY KEY (metadata_id));
CREATE TABLE states (
  state_id INTEGER NOT NULL, entity_id CHAR(0), state VARCHAR(255), attributes CHAR(0), event_id SMALLINT, last_changed CHAR(0),
  last_changed_ts FLOAT, last_updated CHAR(0), last_updated_ts FLOAT, old_state_id INTEGER, attributes_id INTEGER,
  context_id CHAR(0), context_user_id CHAR(0), context_parent_id CHAR(0), origin_idx SMALLINT, context_id_bin BLOB,
  context_user_id_bin BLOB, context_parent_id_bin BLOB, metadata_id INTEGER, PRIMARY KEY (state_id),
  FOREIGN KEY(old_state_id) REFERENCES states (state_id),
  FOREIGN KEY(attributes_id) REFERENCES state_attributes (attributes_id),
  FOREIGN KEY(metadata_id) REFERENCES states_meta (metadata_id));
CREATE INDEX ix_states_metadata_id_last_updated_ts ON states (metadata_id, last_updated_ts);
CREATE TABLE statistics_meta (
  id INTEGER NOT NULL, statistic_id VARCHAR(255), source VARCHAR(32), unit_of_measurement VARCHAR(255), has_mean BOOLEAN,
  has_sum BOOLEAN, name VARCHAR(255), PRIMARY KEY (id));
CREATE TABLE statistics (
  id INTEGER NOT NULL, created CHAR(0), created_ts FLOAT, metadata_id INTEGER, start CHAR(0), start_ts FLOAT, mean FLOAT,
  min FLOAT, max FLOAT, last_reset CHAR(0), last_reset_ts FLOAT, state FLOAT, sum FLOAT, PRIMARY KEY (id),
  FOREIGN KEY(metadata_id) REFERENCES statistics_meta (id) ON DELETE CASCADE);
CREATE TABLE statistics_short_term (
  id INTEGER NOT NULL, metadata_id INTEGER, start_ts FLOAT, mean FLOAT, PRIMARY KEY (id));
`;

const LONG = 'x'.repeat(9_000);
const ROWS = `
INSERT INTO states_meta VALUES (1, 'sensor.outside'), (2, 'binary_sensor.door'), (3, 'sensor.note'), (4, 'sensor.away');
INSERT INTO state_attributes VALUES
  (1, 1, '{"state_class":"measurement","unit_of_measurement":"°C","device_class":"temperature","friendly_name":"Outside"}'),
  (2, 2, '{"friendly_name":"Door","notes":"${LONG}"}');
INSERT INTO states (state, last_updated_ts, attributes_id, metadata_id) VALUES
  ('unavailable', 1700000000.0, 1, 1), ('21.5', 1700000001.123456, 1, 1), ('22', 1700000061, 1, 1),
  ('on', 1700000002.5, 2, 2), ('off', 1700000003.5, 2, 2), ('rainy', 1700000004, NULL, 3), ('unknown', 1700000005, NULL, 4),
  (NULL, 1700000006, NULL, 3);
INSERT INTO statistics_meta VALUES (1, 'sensor.outside', 'recorder', '°C', 1, 0, NULL), (2, 'energy:grid', 'energy', 'kWh', 0, 1, 'Grid');
INSERT INTO statistics (metadata_id, start_ts, mean, min, max, state, sum) VALUES
  (1, 1699999200, 21.75, 21.5, 22, NULL, NULL), (2, 1699999200, NULL, NULL, NULL, 5, 12.25);
INSERT INTO statistics_short_term (metadata_id, start_ts, mean) VALUES (1, 1699999200, 1), (1, 1699999500, 2);
INSERT INTO event_types VALUES (1, 'call_service');
INSERT INTO events (event_type_id, time_fired_ts) VALUES (1, 1700000000);
`;

/** Of the time before `states_meta`: https://github.com/home-assistant/core/blob/2022.3.0/homeassistant/components/recorder/models.py */
const OLD = `
CREATE TABLE states (
  state_id INTEGER NOT NULL, domain VARCHAR(64), entity_id VARCHAR(255), state VARCHAR(255), attributes TEXT, event_id INTEGER,
  last_changed DATETIME, last_updated DATETIME, old_state_id INTEGER, attributes_id INTEGER, PRIMARY KEY (state_id));
INSERT INTO states (entity_id, state, attributes, last_updated) VALUES
  ('sensor.old', '7.5', '{"unit_of_measurement":"W","friendly_name":"Old"}', '2022-03-01 12:00:00.250123'),
  ('sensor.old', '8', '{}', '2022-03-01 12:01:00');
`;

function hasSqlite(): boolean {
  try {
    execFileSync('python3', ['-c', 'import sqlite3']);
    return true;
  } catch {
    return false;
  }
}

describe('sensors import homeassistant', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  let folder = '';
  let key = '';

  before(function () {
    if (hasSqlite()) return;
    console.log('      skipped: Python is not installed, which writes databases of SQLite');
    this.skip();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'import-'));
    key = (await createKey(user)).secret;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (...args: string[]) => runImportCommand(platform.url, key, ['homeassistant', ...args]);

  /** A database as SQLite writes it; `keepsLog` copies it while the last rows are in the write-ahead log only, as in a recorder that runs. */
  const databaseWith = (first: string, then = '', keepsLog = false) => {
    const path = join(mkdtempSync(join(folder, 'config-')), 'home-assistant_v2.db');
    const program = `import sqlite3, sys, shutil, json
path, first, then, keeps = json.load(sys.stdin)
db = sqlite3.connect(path + '.live')
db.execute('PRAGMA journal_mode=WAL')
db.execute('PRAGMA wal_autocheckpoint=0')
db.executescript(first)
db.execute('PRAGMA wal_checkpoint(TRUNCATE)')
db.executescript(then)
if not keeps: db.execute('PRAGMA wal_checkpoint(TRUNCATE)')
shutil.copy(path + '.live', path)
if keeps: shutil.copy(path + '.live-wal', path + '-wal')
`;
    execFileSync('python3', ['-c', program], { input: JSON.stringify([path, first, then, keepsLog]) });
    return path;
  };

  const assertImported = async () => {
    const names = [
      'binary_sensor.door',
      'energy:grid statistics',
      'sensor.note',
      'sensor.outside',
      'sensor.outside statistics',
    ];
    const sensors = await sensorsByName(user);
    assert.deepEqual([...sensors.keys()].sort(), names);
    assert.deepEqual(await storedIn(user, 'sensor.outside'), [
      '2023-11-14T22:13:21.123Z 21.5',
      '2023-11-14T22:14:21.000Z 22',
    ]);
    assert.deepEqual(await storedIn(user, 'binary_sensor.door'), [
      '2023-11-14T22:13:22.500Z on',
      '2023-11-14T22:13:23.500Z off',
    ]);
    assert.deepEqual(await storedIn(user, 'sensor.note'), ['2023-11-14T22:13:24.000Z rainy']);
    assert.deepEqual(await storedIn(user, 'sensor.outside statistics'), [
      '2023-11-14T22:00:00.000Z {"mean":21.75,"min":21.5,"max":22}',
    ]);
    assert.deepEqual(await storedIn(user, 'energy:grid statistics'), [
      '2023-11-14T22:00:00.000Z {"sum":12.25,"state":5}',
    ]);
    const { unit, display_name, data_type } = await sensorNamed(user, 'sensor.outside');
    assert.deepEqual([unit, display_name, data_type], ['°C', 'Outside', 'float']);
    assert.equal(sensors.get('binary_sensor.door')?.data_type, 'boolean');
    assert.deepEqual(sensors.get('energy:grid statistics')?.field_units, {
      mean: 'kWh',
      min: 'kWh',
      max: 'kWh',
      sum: 'kWh',
      state: 'kWh',
    });
    assert.deepEqual(await metatagsOf(user, 'sensor.outside'), { domain: ['sensor'], device_class: ['temperature'] });
  };

  it('carries over states and statistics, and lists what are no values', async () => {
    const { status, out, err } = await run(databaseWith(SCHEMA + ROWS));
    assert.equal(status, 0, out + err);
    await assertImported();
    for (const line of [
      '1 × states that are no values: unavailable: sensor.outside',
      '1 × states that are no values: unknown: sensor.away',
      '1 × states that are no values: empty: sensor.note',
      '2 × statistics of 5 minutes: they are made of the states: table statistics_short_term',
      '1 × events: they are no series: table events',
    ]) {
      assert.ok(out.includes(`\n  ${line}`), out);
    }
  });

  it('reads what is in the write-ahead log only, and changes neither file', async () => {
    const path = databaseWith(SCHEMA, ROWS, true);
    const before = [path, `${path}-wal`].map((file) => readFileSync(file).toString('base64'));
    assert.ok(statSync(`${path}-wal`).size > 10_000);
    const { status, out, err } = await run(path);
    assert.equal(status, 0, out + err);
    await assertImported();
    assert.deepEqual(
      [path, `${path}-wal`].map((file) => readFileSync(file).toString('base64')),
      before,
    );
  });

  it('reads tables of many pages, and those of older versions', async () => {
    const many = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 49999)
      INSERT INTO states (state, last_updated_ts, attributes_id, metadata_id) SELECT i / 10.0, 1700000100 + i, 1, 1 FROM n;`;
    const { status, out, err } = await run(databaseWith(SCHEMA + ROWS, many, true));
    assert.equal(status, 0, out + err);
    assert.equal(await countIn(user, 'sensor.outside'), 50_002);
    const old = await run(databaseWith(OLD));
    assert.equal(old.status, 0, old.err);
    assert.deepEqual(await storedIn(user, 'sensor.old'), [
      '2022-03-01T12:00:00.250Z 7.5',
      '2022-03-01T12:01:00.000Z 8',
    ]);
    const { unit, display_name } = await sensorNamed(user, 'sensor.old');
    assert.deepEqual([unit, display_name], ['W', 'Old']);
  });

  it('says what is wrong with a file', async () => {
    const text = join(folder, 'notes.txt');
    writeFileSync(text, 'no database'.repeat(20));
    assert.deepEqual(await run(text), { status: 1, out: '', err: `${text}: is no SQLite database\n` });
    const other = databaseWith('CREATE TABLE a (b INTEGER PRIMARY KEY);');
    assert.equal((await run(other)).err, `${other}: has no table of states: it is no recorder of Home Assistant\n`);
    const whole = databaseWith(SCHEMA + ROWS);
    const half = join(folder, 'half.db');
    copyFileSync(whole, half);
    writeFileSync(half, readFileSync(half).subarray(0, 3 * 4096 + 100));
    assert.match((await run(half)).err, /^.*half\.db: is damaged: there is no page \d+\n$/);
  });
});
