import assert from 'node:assert/strict';
import type { PassSetting } from '../../../src/alerts/evaluation/pass';
import { runPass } from '../../../src/alerts/evaluation/pass';
import { TriggerStore } from '../../../src/alerts/trigger-store/trigger-store';
import { FairShareScheduler } from '../../../src/fairness/fair-share-scheduler';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  upload,
} from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';

const MINUTE_MS = 60_000;
const MANY = 3_000;

describe('the cache of sensors in a worker', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { SENSOR_PARTITIONS: '1' } });
  const user = useUser(platform);

  /** A worker with a separate cache, which is not compared with the database. */
  const worker = (): PassSetting => ({
    pool: platform.container.database.pool,
    clock,
    layout: platform.container.layout,
    shares: new FairShareScheduler(),
    store: new TriggerStore({ checksCache: false }),
  });
  let first: PassSetting;
  let second: PassSetting;

  before(() => {
    [first, second] = [worker(), worker()];
  });

  /** Uploads a value a minute later, and lets a worker run a pass: the names of the triggers that fired. */
  const fired = async (by: PassSetting, sensorId: string, value: unknown): Promise<string[]> => {
    clock.advance(MINUTE_MS);
    await upload(user, sensorId, { value });
    const { results } = await runPass(by, { partitions: [0] });
    return results.flatMap(({ changes }) => changes.firings.map(({ triggerName }) => triggerName));
  };

  /** A sensor with one trigger that the first worker has cached. */
  const cached = async () => {
    const sensorId = await buildSensor(user);
    const triggerId = await buildTrigger(user, { name: 'warm', expression: 'sensor_data_value > 20' });
    await connectTrigger(user, sensorId, triggerId);
    assert.deepEqual(await fired(first, sensorId, 1), []);
    assert.deepEqual(await fired(first, sensorId, 25), ['warm']);
    return { sensorId, triggerId };
  };

  it('includes what another worker has written', async () => {
    const { sensorId, triggerId } = await cached();
    const expression = 'sensor_data_value > 20 and last_sensor_data_value < 10 and times_triggered == 2';
    await user.api.put(`/triggers/${triggerId}`, { trigger: { expression: 'sensor_data_value > 20' } });
    assert.deepEqual(await fired(second, sensorId, 30), ['warm']);
    assert.deepEqual(await fired(first, sensorId, 5), []);
    await user.api.put(`/triggers/${triggerId}`, { trigger: { expression } });
    assert.deepEqual(await fired(first, sensorId, 30), ['warm']);
    assert.deepEqual(await fired(second, sensorId, 5), []);
    assert.deepEqual(await fired(first, sensorId, 30), [], 'it has fired three times');
    const [row] = await platform.query('SELECT times_triggered AS times FROM sensor_triggers WHERE sensor_id = ?', [
      sensorId,
    ]);
    assert.equal(row?.times, 3);
  });

  it('includes a new expression and a new name of a trigger', async () => {
    const { sensorId, triggerId } = await cached();
    const { status } = await user.api.put(`/triggers/${triggerId}`, {
      trigger: { name: 'cold', expression: 'sensor_data_value < 0' },
    });
    assert.equal(status, 200);
    assert.deepEqual(await fired(first, sensorId, 25), []);
    assert.deepEqual(await fired(first, sensorId, -1), ['cold']);
  });

  it('includes the data type of the sensor', async () => {
    const { sensorId, triggerId } = await cached();
    await user.api.put(`/triggers/${triggerId}`, { trigger: { expression: 'sensor_data_value.t > 20' } });
    assert.deepEqual(await fired(first, sensorId, { t: 25 }), ['warm']);
    await user.api.put(`/sensors/${sensorId}`, { sensor: { data_type: 'string' } });
    assert.deepEqual(await fired(first, sensorId, { t: 25 }), []);
  });

  it('includes a trigger that is connected, switched off, switched on and disconnected', async () => {
    const { sensorId, triggerId } = await cached();
    const other = await buildTrigger(user, { name: 'other', expression: 'sensor_data_value > 20' });
    await connectTrigger(user, sensorId, other);
    assert.deepEqual(await fired(first, sensorId, 25), ['warm', 'other']);
    const path = `/sensors/${sensorId}/triggers`;
    assert.equal((await user.api.put(`${path}/${other}`, { trigger: { active: false } })).status, 200);
    assert.deepEqual(await fired(first, sensorId, 25), ['warm']);
    await user.api.put(`${path}/${other}`, { trigger: { active: true } });
    assert.deepEqual(await fired(first, sensorId, 25), ['warm', 'other']);
    assert.equal((await user.api.delete(`${path}/${triggerId}`)).status, 200);
    assert.deepEqual(await fired(first, sensorId, 25), ['other']);
    assert.equal((await user.api.delete(`/triggers/${other}`)).status, 200);
    assert.deepEqual(await fired(first, sensorId, 25), []);
  });

  it('lets a pass have more triggers of cached sensors than of sensors that it must read', async () => {
    const triggerId = await buildTrigger(user, { expression: 'sensor_data_value > 20' });
    const rows = Array.from({ length: MANY }, (_, index) => [user.id, `many ${index}`, '', 1]);
    await platform.query('INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?', [rows]);
    const found = await platform.query("SELECT id FROM sensors WHERE name LIKE 'many %'");
    const ids = found.map(({ id }) => String(id));
    await platform.query('INSERT INTO sensor_triggers (sensor_id, trigger_id, created_ms) VALUES ?', [
      ids.map((id) => [id, triggerId, 1]),
    ]);
    const shares = new FairShareScheduler(() => 0);
    shares.charge(Number(user.id), 0, 1);
    const unhurried = { ...first, shares };
    /** Number of points that each pass handles until nothing waits. */
    const passes = async () => {
      clock.advance(MINUTE_MS);
      const sensors = ids.map((sensor_id) => ({ sensor_id, data: [{ value: 1 }] }));
      assert.equal((await user.api.post('/sensors/data', { sensors })).status, 201);
      const counts: number[] = [];
      for (let hasMore = true; hasMore && counts.length < 10; ) {
        const outcome = await runPass(unhurried, { partitions: [0] });
        counts.push(outcome.points);
        hasMore = outcome.hasMore;
      }
      return counts;
    };
    assert.deepEqual(await passes(), [2_500, MANY - 2_500]);
    assert.deepEqual(await passes(), [MANY]);
    const [row] = await platform.query(
      'SELECT COUNT(*) AS seen FROM sensor_triggers WHERE last_data_value IS NOT NULL',
    );
    assert.ok(Number(row?.seen) >= MANY, 'all were evaluated');
  });

  it('includes that the deletion of a notification switches its triggers off', async () => {
    const { sensorId, triggerId } = await cached();
    const notificationId = await buildNotification(user);
    await connectNotification(user, sensorId, triggerId, notificationId);
    assert.deepEqual(await fired(first, sensorId, 25), ['warm']);
    assert.equal((await user.api.delete(`/notifications/${notificationId}`)).status, 200);
    assert.deepEqual(await fired(first, sensorId, 25), []);
  });
});
