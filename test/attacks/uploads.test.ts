import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSensor } from '../support/factories';
import { flood } from '../support/flood';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';

/** Some times as long as an upload waits for a lock. */
const LOCKED_MS = 15_000;
const DATE = 1_500_000_000;

describe('an attack by uploads', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  let sensorId: string;

  before(async () => {
    sensorId = await buildSensor(attacker);
  });

  const points = (count: number, round: number) =>
    Array.from({ length: count }, (_, index) => ({ value: index, date: 1_600_000_000 + round * count + index }));

  it('of 500 simultaneous requests with 10,000 points each harms no other user', async () => {
    const bodies = Array.from({ length: 20 }, (_, round) => JSON.stringify({ data: points(10_000, round) }));
    const headers = { 'X-SESSION_ID': attacker.session };
    let statuses: Record<string, number> = {};
    await bystander.during(async () => {
      statuses = await flood({ url: `${platform.url}/sensors/${sensorId}/data`, headers, bodies, count: 500 });
    });
    assert.deepEqual(Object.keys(statuses), ['201', '429'], 'each request is stored or temporarily refused');
  });

  it('to a sensor with a point that stays locked delays only the owner of the sensor', async () => {
    const lock = await platform.pool.getConnection();
    let uploads: Promise<unknown> | undefined;
    try {
      await lock.beginTransaction();
      const point = [sensorId, DATE * 1000, '0', 0];
      await lock.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES (?)', [point]);
      uploads = Promise.allSettled(
        Array.from({ length: 20 }, () => attacker.api.post(`/sensors/${sensorId}/data`, { value: 1, date: DATE })),
      );
      await bystander.during(() => sleep(LOCKED_MS));
    } finally {
      await lock.rollback();
      lock.release();
      await uploads;
    }
  });
});
