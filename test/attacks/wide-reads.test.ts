import assert from 'node:assert/strict';
import { packIn } from '../support/chunks';
import { buildSensor, upload } from '../support/factories';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import { StalledReaders } from '../support/stalled-readers';
import { until } from '../support/until';

const SENSORS = 1_000;
const SENSORS_OF_A_READ = 950;
/** Small when compressed, and stored as texts of which each takes twice its length in memory. */
const VALUE = `\u0000${'x'.repeat(3_990)}…`;
const [LONG_POINTS, SHORT_POINTS] = [80, 120];
const DAY_S = 86_400;

describe('an attack by reads of many sensors whose chunks are small until they are opened', function () {
  this.timeout(600_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const ids: string[] = [];

  /** One sensor is packed, and the others get copies of its chunks and rows. */
  before(async () => {
    for (let index = 0; index < SENSORS; index += 1) ids.push(await buildSensor(attacker, { name: `wide ${index}` }));
    const [first = '', ...others] = ids;
    const start = Math.floor(Date.now() / 1_000) - 30 * DAY_S;
    const data = Array.from({ length: LONG_POINTS + SHORT_POINTS }, (_, index) => ({
      value: index < LONG_POINTS ? VALUE : String(index),
      date: start + index * 60,
    }));
    await upload(attacker, first, data);
    await packIn(platform.pool, first);
    for (const [table, columns] of [
      ['data_chunks', 'last_ms, first_ms, points, codec, body'],
      ['data_points', 'date_ms, value, delay_s'],
    ]) {
      await platform.pool.query(
        `INSERT INTO ${table} (sensor_id, ${columns})
         SELECT s.id, ${columns} FROM ${table} JOIN sensors s ON s.id IN (?) WHERE sensor_id = ?`,
        [others, first],
      );
    }
  });

  const some = () =>
    ids
      .slice(0, SENSORS_OF_A_READ)
      .map((id) => `sensor_id=${id}`)
      .join('&');
  const read = async (path: string) => {
    const response = await fetch(platform.url + path, { headers: { 'X-SESSION_ID': attacker.session } });
    return { status: response.status, body: await response.text() };
  };

  it('by pages of 950 sensors whose chunks all overlap harms no other user, and is answered', async () => {
    const paths = [
      `/sensors/data?${some()}&per_page=1`,
      `/sensors/data?${some()}&per_page=1`,
      `/sensors/data?${some()}&per_page=100&page=20`,
      `/sensors/data?${some()}&per_page=1&sort=DESC`,
    ];
    const seen = await bystander.during(async () => {
      for (const { status, body } of await Promise.all(paths.map(read))) assert.equal(status, 200, body.slice(0, 200));
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });

  it('by three exports of 950 sensors that nobody reads harms no other user', async () => {
    const readers = new StalledReaders(platform.url);
    let statuses: string[] = [];
    const seen = await bystander
      .during(
        async () => {
          statuses = await readers.openMany(3, `/sensors/data.ndjson?${some()}`, attacker.session);
        },
        { graceMs: 10_000 },
      )
      .finally(() => readers.close());
    console.log(`      ${JSON.stringify(statuses)} ${JSON.stringify(seen)}`);
    assert.deepEqual(statuses, ['200', '200', '200']);
    await until(
      'the user can read again',
      async () => (await read(`/sensors/data?${some()}&per_page=1`)).status === 200,
    );
  });

  it('by an export of 950 sensors gives all of their points', async () => {
    const { status, body } = await read(`/sensors/data.ndjson?${some()}&start_date=0`);
    assert.equal(status, 200);
    assert.equal(body.split('\n').length - 1, SENSORS_OF_A_READ * (LONG_POINTS + SHORT_POINTS));
  });
});
