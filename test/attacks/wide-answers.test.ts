import assert from 'node:assert/strict';
import { buildSensor } from '../support/factories';
import { flood } from '../support/flood';
import { useBystander, useStandingPlatform } from '../support/hooks';
import type { TestUser } from '../support/platform';

const USERS = 3;
const SENSORS = 100;
const METATAGS = 1_000;
const FIELDS = 900;
const POINTS = 200;

describe('an attack by answers of many parts', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);

  /** Each user sends the request 8 times, 4 of them at once. */
  async function floodAll(
    requests: readonly { user: TestUser; path: string; method: string; body?: string }[],
  ): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {};
    const seen = await bystander.during(async () => {
      const floods = requests.map(({ user, path, method, body = '' }) =>
        flood({
          url: platform.url + path,
          method,
          headers: { 'X-SESSION_ID': user.session },
          bodies: [body],
          count: 8,
          atOnce: 4,
        }),
      );
      for (const answers of await Promise.all(floods))
        for (const [status, count] of Object.entries(answers)) statuses[status] = (statuses[status] ?? 0) + count;
    });
    console.log(`      ${JSON.stringify(statuses)} ${JSON.stringify(seen)}`);
    return statuses;
  }

  const forEachUser = <T>(make: (user: TestUser) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: USERS }, async () => make(await platform.user())));

  it(`of ${SENSORS} sensors with ${METATAGS} metatags each harms no other user`, async () => {
    const requests = await forEachUser(async (user) => {
      const ids: string[] = [];
      for (let index = 0; index < SENSORS; index += 1) ids.push(await buildSensor(user));
      await platform.pool.query(
        `INSERT INTO metatags (sensor_id, namespace, name, position, owner_id, value, value_key)
         WITH RECURSIVE n AS (SELECT 1 AS seq UNION ALL SELECT seq + 1 FROM n WHERE seq < ?)
         SELECT s.id, 'default', CONCAT('name ', n.seq), 0, s.owner_id, CONCAT('"', REPEAT('x', 180), '"'), 'x'
         FROM sensors s JOIN n WHERE s.id IN (?)`,
        [METATAGS, ids],
      );
      return { user, method: 'POST', path: `/sensors/find?per_page=${SENSORS}`, body: JSON.stringify({ filter: {} }) };
    });
    const [first] = requests;
    assert.ok(first);
    const { body, status } = await first.user.api.post(first.path, { filter: {} });
    assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
    assert.deepEqual([body.sensors.length, Object.keys(body.sensors[99].metatags).length], [SENSORS, METATAGS]);
    const statuses = await floodAll(requests);
    assert.ok((statuses[200] ?? 0) > 0, JSON.stringify(statuses));
    assert.ok(!('500' in statuses) && !('0' in statuses), JSON.stringify(statuses));
  });

  it(`of CSV with ${FIELDS} columns harms no other user`, async () => {
    const requests = await forEachUser(async (user) => {
      const id = await buildSensor(user, { data_type: 'json' });
      const fields = Array.from({ length: FIELDS }, (_, index) => [`field ${index} ${'x'.repeat(40)}`, index]);
      const value = JSON.stringify(Object.fromEntries(fields));
      for (let from = 0; from < POINTS; from += 50) {
        const points = Array.from({ length: 50 }, (_, index) => [id, (from + index + 1) * 60_000, value, 1]);
        await platform.pool.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [points]);
      }
      return { user, method: 'GET', path: `/sensors/${id}/data.csv` };
    });
    const [first] = requests;
    assert.ok(first);
    const response = await fetch(platform.url + first.path, { headers: { 'X-SESSION_ID': first.user.session } });
    const lines = (await response.text()).trim().split('\r\n');
    assert.deepEqual([lines.length, lines[1]?.split(',').length], [POINTS + 1, lines[0]?.split(',').length]);
    assert.deepEqual(await floodAll(requests), { 200: USERS * 8 });
  });
});
