import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSensor } from '../support/factories';
import { useBystander, useStandingPlatform } from '../support/hooks';
import type { TestUser } from '../support/platform';
import { StalledReaders } from '../support/stalled-readers';

const VALUE_BYTES = 65_000;
/** The most that a page may hold: 32 MB. */
const POINTS = 500;
const USERS = 3;
const CONNECTIONS = 3;
const HELD_MS = 15_000;

/** Six times as long in JSON. */
const CONTROL = '\u0001';

describe('an attack by answers that nobody takes', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  let readers: StalledReaders;
  let users: { user: TestUser; sensorId: string }[];

  before(async () => {
    users = [];
    for (let index = 0; index < USERS; index += 1) {
      const user = await platform.user();
      const sensorId = await buildSensor(user, { data_type: 'string' });
      await platform.pool.query(
        `INSERT INTO data_points (sensor_id, date_ms, value, delay_s)
         SELECT ?, seq * 1000, REPEAT(?, ?), 1 FROM (WITH RECURSIVE n AS (SELECT 1 AS seq UNION ALL SELECT seq + 1 FROM n WHERE seq < ?) SELECT seq FROM n) n`,
        [sensorId, CONTROL, VALUE_BYTES, POINTS],
      );
      users.push({ user, sensorId });
    }
  });
  beforeEach(() => {
    readers = new StalledReaders(platform.url);
  });
  afterEach(() => readers.close());

  async function hold(pathOf: (sensorId: string) => string): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {};
    const seen = await bystander.during(async () => {
      const opened = users.map(({ user, sensorId }) =>
        readers.openMany(CONNECTIONS, pathOf(sensorId), user.session).then((some) => {
          for (const status of some) statuses[status] = (statuses[status] ?? 0) + 1;
        }),
      );
      await Promise.race([Promise.all(opened), sleep(HELD_MS)]);
      await sleep(HELD_MS / 2);
      readers.close();
    });
    console.log(`      ${JSON.stringify(statuses)} ${JSON.stringify(seen)}`);
    return statuses;
  }

  it('of pages of 32 MB, which are 196 MB as JSON, harms no other user', async () => {
    const statuses = await hold((id) => `/sensors/${id}/data?per_page=${POINTS}`);
    assert.ok((statuses[200] ?? 0) >= USERS, JSON.stringify(statuses));
  });

  it('of exports of the same data harms no other user', async () => {
    const statuses = await hold((id) => `/sensors/${id}/data.ndjson`);
    assert.deepEqual(statuses, { 200: USERS * CONNECTIONS });
  });

  it('leaves nothing held', async () => {
    for (const { user, sensorId } of users) {
      const { status, body } = await user.api.get(`/sensors/${sensorId}/data?per_page=${POINTS}`);
      assert.deepEqual([status, body.data.length, body.data[0].value.length], [200, POINTS, VALUE_BYTES]);
    }
  });
});
