import assert from 'node:assert/strict';
import { packIn } from '../support/chunks';
import { buildSensor, upload } from '../support/factories';
import { flood } from '../support/flood';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const SENSORS = 200;
const POINTS_OF_A_SENSOR = 28_800;
const SENSORS_OF_A_PAGE = 50;
const GIVE_UP_MS = 10_000;

describe('an attack by reads of points in chunks', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const ids: string[] = [];

  /** One sensor is packed, and the others get copies of its chunks. */
  before(async () => {
    for (let index = 0; index < SENSORS; index += 1) ids.push(await buildSensor(attacker, { name: `old ${index}` }));
    const [first = '', ...others] = ids;
    const start = Math.floor(Date.now() / 1_000) - POINTS_OF_A_SENSOR * 60;
    const data = Array.from({ length: POINTS_OF_A_SENSOR }, (_, index) => ({
      value: index % 3 === 0 ? { t: (index % 300) / 10, h: index % 70, state: 'on' } : (index % 500) / 4,
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

  const running = async () => {
    const [rows] = await platform.pool.query(
      `SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE '/* read %'`,
    );
    return Array.isArray(rows) ? rows.length : 0;
  };

  it('by far pages, wide intervals and exports of 200 sensors at the same time harms no other user', async () => {
    const several = ids
      .slice(0, SENSORS_OF_A_PAGE)
      .map((id) => `sensor_id=${id}`)
      .join('&');
    const all = ids.map((id) => `sensor_id=${id}`).join('&');
    const paths = [
      `/sensors/data?${several}&per_page=1000&page=900&sort=DESC`,
      `/sensors/data?${several}&interval=60&aggregate=all&total=true&per_page=1000&page=5`,
      `/sensors/data?${several}&interval=86400&aggregate=max&per_page=1000`,
      `/sensors/data.csv?${all}`,
      `/sensors/data.ndjson?${all}&sort=DESC`,
      `/sensors/${ids[7]}/data.csv`,
    ];
    const statuses: Record<string, Record<string, number>> = {};
    const seen = await bystander.during(async () => {
      const floods = paths.map(async (path) => {
        statuses[path.replaceAll(/sensor_id=\d+&?/g, '')] = await flood({
          url: platform.url + path,
          method: 'GET',
          headers: { 'X-SESSION_ID': attacker.session },
          count: 20,
          atOnce: 10,
          giveUpMs: GIVE_UP_MS,
        });
      });
      await Promise.all(floods);
    });
    console.log(`      ${JSON.stringify(statuses)} ${JSON.stringify(seen)}`);
    for (const [path, answers] of Object.entries(statuses)) {
      for (const status of ['400', '500']) assert.ok(!(status in answers), `${path}: ${JSON.stringify(answers)}`);
    }
    await until('nothing of it runs any more', async () => (await running()) === 0, 10_000);
  });
});
