// Finds sensors by metatags among 100,000 sensors with ten metatags each.
import { create, registered } from './support/client.mjs';
import { Rows, timesOf } from './support/figures.mjs';
import { makeNumbers } from './support/fill.mjs';

export const name = 'find';
export const order = 3;

const OWN = 90_000;
/** Owned by another user; every second one is shared with us. */
const FOREIGN = 10_000;
const CALLS = 15;
const LIMIT = 'limit: reading 100 sensors by id, and their tags';
/** `serial` names one sensor, `tag1` has 4 values, and so on doubling until `tag9` with 1,024. */
const TAGS = 10;
const SENSORS_PER_STATEMENT = 10_000;

const tag = (metatag_name, operator, value) => ({ metatag_name, operator, value });
const WAYS = [
  ['equal, selective: 1 sensor', { metatag_statement_groups: [[tag('serial', 'equal', 'no-4711')]] }],
  ['equal, every 4th sensor', { metatag_statement_groups: [[tag('tag1', 'equal', 'value 3')]] }],
  ['in, 3 values of 1,024', { metatag_statement_groups: [[tag('tag9', 'in', 'value 3,value 77,value 901')]] }],
  ['in, 2 values of 4', { metatag_statement_groups: [[tag('tag1', 'in', 'value 1,value 3')]] }],
  ['is_set, all sensors', { metatag_statement_groups: [[tag('tag1', 'is_set')]] }],
  ['is_set, no sensor', { metatag_statement_groups: [[tag('tag77', 'is_set')]] }],
  ['by name', { sensor_statement_groups: [[{ sensor_property: 'name', operator: 'equal', value: 'sensor 4711' }]] }],
  [
    'two groups, every 4th and every 8th',
    { metatag_statement_groups: [[tag('tag1', 'equal', 'value 3')], [tag('tag2', 'equal', 'value 7')]] },
  ],
  [
    'two groups, every 4th and 1 of 1,024',
    { metatag_statement_groups: [[tag('tag1', 'equal', 'value 3')], [tag('tag9', 'equal', 'value 1023')]] },
  ],
  [
    'two groups without a sensor in common',
    {
      metatag_statement_groups: [[tag('tag1', 'equal', 'value 3')], [tag('tag2', 'equal', 'value 6')]],
    },
  ],
  ['all owners: every 4th', { metatag_statement_groups: [[tag('tag1', 'equal', 'value 3')]] }, 'all'],
  ['all owners: selective', { metatag_statement_groups: [[tag('serial', 'equal', 'no-4711')]] }, 'all'],
  ['shared with me: every 4th', { metatag_statement_groups: [[tag('tag1', 'equal', 'value 3')]] }, 'shared'],
];

/** Measures the limit and each search, interleaved. */
export async function run({ port, pool, rounds }) {
  const client = await registered(port);
  const other = await registered(port);
  await fill(pool, client, other);
  const rows = new Rows();
  for (let round = 0; round < rounds; round += 1) {
    rows.addTimes(LIMIT, await timesOf(CALLS, () => readByIds(pool, client.userId)));
    for (const [what, filter, owner = 'me'] of WAYS) {
      const path = `/sensors/find?per_page=100&sensor_owner=${owner}`;
      const find = () => client.post(path, { filter });
      if (round === 0) await find(); // warm-up
      rows.addTimes(what, await timesOf(CALLS, find), LIMIT);
    }
    const readValues = () => client.get('/metatag_name/tag9/distinct_values?per_page=1000');
    rows.addTimes('1,024 distinct values, of all sensors', await timesOf(CALLS, readValues), LIMIT);
  }
  await Promise.all([client.close(), other.close()]);
  return rows.list();
}

async function readByIds(pool, ownerId) {
  const [sensors] = await pool.query('SELECT * FROM sensors WHERE owner_id = ? ORDER BY id LIMIT 100', [ownerId]);
  const ids = sensors.map(({ id }) => id);
  await pool.query('SELECT * FROM metatags WHERE sensor_id IN (?)', [ids]);
}

/** Inserts the rows that the API would write, with few statements. */
async function fill(pool, client, other) {
  const first = Number(await create(client, 'sensor', { name: 'the first' })) + 1;
  await makeNumbers(pool);
  await pool.query(
    `INSERT INTO sensors (id, owner_id, name, data_structure, created_ms)
     SELECT ? + n, IF(n < ?, ?, ?), CONCAT('sensor ', n), '', 0 FROM bench_numbers WHERE n < ?`,
    [first, OWN, client.userId, other.userId, OWN + FOREIGN],
  );
  await pool.query(
    `INSERT INTO sensor_users (sensor_id, user_id, created_ms)
     SELECT ? + n, ?, 0 FROM bench_numbers WHERE n >= ? AND n < ? AND n % 2 = 1`,
    [first, client.userId, OWN, OWN + FOREIGN],
  );
  for (let from = 0; from < OWN + FOREIGN; from += SENSORS_PER_STATEMENT) {
    await pool.query(
      `INSERT INTO metatags (sensor_id, namespace, name, position, owner_id, value, value_key)
       SELECT id, 'default', IF(tag = 0, 'serial', CONCAT('tag', tag)), 0, owner_id, CONCAT('"', text, '"'), text
       FROM (SELECT s.id, s.owner_id, t.n AS tag,
                    IF(t.n = 0, CONCAT('no-', b.n), CONCAT('value ', b.n % (2 << t.n))) AS text
             FROM bench_numbers b JOIN sensors s ON s.id = ? + b.n JOIN bench_numbers t ON t.n < ?
             WHERE b.n >= ? AND b.n < ?) tags
       ORDER BY id, tag`,
      [first, TAGS, from, from + SENSORS_PER_STATEMENT],
    );
  }
  await pool.query('ANALYZE TABLE sensors, metatags, sensor_users');
}
