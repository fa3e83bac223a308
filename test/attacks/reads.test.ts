import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { buildGroup, buildSensor } from '../support/factories';
import { flood } from '../support/flood';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const SENSORS = 12;
const POINTS_OF_A_SENSOR = 20_000;
const LISTED_SENSORS = 20_000;

describe('an attack by reads', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const ids: number[] = [];

  before(async () => {
    for (let index = 0; index < SENSORS; index += 1) {
      const { body } = await attacker.api.post('/sensors', { sensor: { name: `wide ${index}`, data_type: 'json' } });
      ids.push(Number(body.sensor.id));
    }
    const rows = Array.from({ length: POINTS_OF_A_SENSOR }, (_, index) => [
      1_600_000_000_000 + index * 60_000,
      `${index}.5`,
    ]);
    for (const id of ids) {
      const points = rows.map(([dateMs, value]) => [id, dateMs, value, 1]);
      await platform.pool.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [points]);
    }
  });

  const headers = () => ({ 'X-SESSION_ID': attacker.session });
  const wide = () =>
    `${platform.url}/sensors/data?${ids.map((id) => `sensor_id=${id}`).join('&')}&interval=60&total=true&per_page=1000`;
  const running = async () => {
    const [rows] = await platform.pool.query(
      `SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE '/* read %'`,
    );
    return Array.isArray(rows) ? rows.length : 0;
  };

  it('of 24 simultaneous requests for wide ranges harms no other user', async () => {
    let statuses: Record<string, number> = {};
    await bystander.during(async () => {
      statuses = await flood({ url: wide(), method: 'GET', headers: headers(), count: 24, giveUpMs: 8_000 });
    });
    assert.ok(!('503' in statuses), JSON.stringify(statuses));
    await until('nothing of it runs any more', async () => (await running()) === 0, 10_000);
  });

  it('of wide ranges that are given up again and again leaves nothing running', async () => {
    await bystander.during(async () => {
      await flood({ url: wide(), method: 'GET', headers: headers(), count: 300, atOnce: 30, giveUpMs: 300 });
    });
    await until('nothing of it runs any more', async () => (await running()) === 0, 10_000);
  });

  it('of long lists that are given up at once, again and again, harms no other user', async () => {
    const groupId = await buildGroup(attacker);
    const listed = Array.from({ length: LISTED_SENSORS }, (_, index) => [attacker.id, `listed ${index}`, '', 1]);
    await platform.pool.query('INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?', [listed]);
    await platform.pool.query(
      'INSERT INTO group_sensors (group_id, sensor_id, user_id, created_ms) SELECT ?, id, owner_id, 1 FROM sensors WHERE owner_id = ?',
      [groupId, attacker.id],
    );
    const url = `${platform.url}/groups/${groupId}/sensors?per_page=1000`;
    await bystander.during(async () => {
      await flood({ url, method: 'GET', headers: headers(), count: 600, atOnce: 100, giveUpMs: 50 });
    });
  });

  it('of more requests than may wait is refused for the moment', async () => {
    let statuses: Record<string, number> = {};
    await bystander.during(async () => {
      statuses = await flood({ url: wide(), method: 'GET', headers: headers(), count: 200, giveUpMs: 10_000 });
    });
    assert.ok('429' in statuses, JSON.stringify(statuses));
    await until('nothing of it runs any more', async () => (await running()) === 0, 10_000);
  });

  it('of pages of 32 MB by 4 users, and of some that nobody takes, stays within memory', async () => {
    const large = await Promise.all(Array.from({ length: 4 }, () => largePage()));
    const { hostname, port } = new URL(platform.url);
    await bystander.during(async () => {
      const takers = large.map(({ path, session }) =>
        flood({ url: platform.url + path, method: 'GET', headers: { 'X-SESSION_ID': session }, count: 6, atOnce: 2 }),
      );
      const stalled = large.map(({ path, session }) => {
        const socket = connect(Number(port), hostname).pause();
        socket.on('error', () => undefined);
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-SESSION_ID: ${session}\r\n\r\n`);
        return socket;
      });
      await Promise.all(takers);
      for (const socket of stalled) socket.destroy();
    });
    for (const { path, session } of large) {
      const response = await fetch(platform.url + path, { headers: { 'X-SESSION_ID': session } });
      assert.equal(response.status, 200);
      await response.arrayBuffer();
    }
  });

  it('of intervals of objects of 60 KB with a thousand fields stays within memory, and harms no other user', async () => {
    const wide = await Promise.all(Array.from({ length: 4 }, () => wideObjects()));
    const statuses: Record<string, number> = {};
    const seen = await bystander.during(async () => {
      const floods = wide.map(({ url, session }) =>
        flood({ url, method: 'GET', headers: { 'X-SESSION_ID': session }, count: 12, atOnce: 6, giveUpMs: 20_000 }),
      );
      for (const answers of await Promise.all(floods))
        for (const [status, count] of Object.entries(answers)) statuses[status] = (statuses[status] ?? 0) + count;
    });
    console.log(`      ${JSON.stringify(statuses)} ${JSON.stringify(seen)}`);
    assert.ok(!('500' in statuses), JSON.stringify(statuses));
    await until('nothing of it runs any more', async () => (await running()) === 0, 10_000);
  });

  async function wideObjects(): Promise<{ url: string; session: string }> {
    const user = await platform.user();
    const id = await buildSensor(user, { data_type: 'json' });
    const fields = Array.from({ length: 990 }, (_, index) => [`field ${index} ${'x'.repeat(40)}`, index]);
    const value = JSON.stringify(Object.fromEntries(fields));
    await storePoints(id, { count: 3_000, everyMs: 60_000, value });
    return { url: `${platform.url}/sensors/${id}/data?interval=300&aggregate=all&per_page=100`, session: user.session };
  }

  async function largePage(): Promise<{ path: string; session: string }> {
    const user = await platform.user();
    const id = await buildSensor(user);
    await storePoints(id, { count: 500, everyMs: 1_000, value: 'x'.repeat(65_000) });
    return { path: `/sensors/${id}/data?per_page=500`, session: user.session };
  }

  /** Points with the same value, which is sent to MySQL once for 500 of them: together they have up to 180 MB. */
  async function storePoints(id: string, points: { count: number; everyMs: number; value: string }): Promise<void> {
    const { count, everyMs, value } = points;
    for (let stored = 0; stored < count; stored += 500) {
      await platform.pool.query(
        `INSERT INTO data_points (sensor_id, date_ms, value, delay_s)
         WITH RECURSIVE n AS (SELECT 1 AS seq UNION ALL SELECT seq + 1 FROM n WHERE seq < 500)
         SELECT ?, (? + seq) * ?, ?, 1 FROM n`,
        [id, stored, everyMs, value],
      );
    }
  }
});
