import assert from 'node:assert/strict';
import { OldPoints } from '../../../src/maintenance/old-points';
import { buildSensor, share, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { type WatchedChange, watchPool } from '../../support/watched-pool';

const DAY_S = 86_400;

describe('the retention of a sensor', () => {
  const platform = usePlatform();
  const owner = useUser(platform);
  const reader = useUser(platform);
  const stranger = useUser(platform);

  const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * DAY_S;
  const ages = async (sensorId: string) => {
    const rows = await platform.query('SELECT date_ms AS ms FROM data_points WHERE sensor_id = ? ORDER BY date_ms', [
      sensorId,
    ]);
    return rows.map(({ ms }) => Math.round((Date.now() - Number(ms)) / 1000 / DAY_S)).reverse();
  };

  it('is set and taken away by the owner, and seen by those who see the sensor', async () => {
    const id = await buildSensor(owner);
    await share(owner, id, reader);
    const path = `/sensors/${id}/retention`;
    const nothing = { retention: { days: null, effective_days: null } };
    assert.deepEqual((await owner.api.get(path)).body, nothing);
    const set = await owner.api.put(path, { retention: { days: '30' } });
    assert.deepEqual([set.status, set.body], [200, { retention: { days: 30, effective_days: 30 } }]);
    assert.deepEqual((await reader.api.get(path)).body, set.body);
    for (const days of [-1, 0.5, 36_501, 'many', {}]) {
      const { status, body } = await owner.api.put(path, { retention: { days } });
      assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, ['retention.days']], JSON.stringify(days));
    }
    assert.equal((await reader.api.put(path, { retention: { days: 1 } })).status, 403);
    assert.equal((await reader.api.delete(path)).status, 403);
    for (const method of ['get', 'delete'] as const) assert.equal((await stranger.api[method](path)).status, 404);
    assert.equal((await stranger.api.put(path, { retention: { days: 1 } })).status, 404);
    assert.deepEqual((await owner.api.get(path)).body, set.body, 'nobody else has changed it');
    assert.deepEqual((await owner.api.delete(path)).body, {});
    assert.deepEqual((await owner.api.get(path)).body, nothing);
    assert.equal((await owner.api.get(`/sensors/${id}`)).body.sensor.retention_days, undefined, 'no field of a sensor');
  });

  it('makes the purge delete older points of that sensor, in statements of few rows, and no others', async () => {
    const [short, long, none] = [await buildSensor(owner), await buildSensor(owner), await buildSensor(owner)];
    for (const id of [short, long, none]) {
      await upload(owner, id, { data: [0, 5, 20, 400].map((days) => ({ value: days, date: daysAgo(days) })) });
    }
    const many = Array.from({ length: 5_000 }, (_, index) => ({ value: index, date: daysAgo(300) + index }));
    await upload(owner, short, { data: many });
    await owner.api.put(`/sensors/${short}/retention`, { retention: { days: 3 } });
    await owner.api.put(`/sensors/${long}/retention`, { retention: { days: 100 } });
    const changes: WatchedChange[] = [];
    const pool = watchPool(platform.container.database.pool, { onChange: (change) => changes.push(change) });
    const purge = async (platformDays: number) => {
      const { clock, logger } = platform.container;
      const task = new OldPoints(pool, clock, platformDays, { number: 0, of: 1 }, logger);
      for (let step = { deleted: 0, position: 0, isDone: false }; !step.isDone; ) step = await task.step(step.position);
    };
    await purge(0);
    assert.deepEqual([await ages(short), await ages(long), await ages(none)], [[0], [0, 5, 20], [0, 5, 20, 400]]);
    assert.ok(Math.max(...changes.map(({ affectedRows }) => affectedRows)) <= 2_000);
    await purge(10);
    assert.deepEqual([await ages(short), await ages(long), await ages(none)], [[0], [0, 5], [0, 5]]);
  });
});

describe('the retention of a sensor on a platform that keeps points for ten days', () => {
  const platform = usePlatform({ config: { DATA_RETENTION_DAYS: '10' } });
  const owner = useUser(platform);

  it('is no longer than that', async () => {
    const id = await buildSensor(owner);
    const path = `/sensors/${id}/retention`;
    assert.deepEqual((await owner.api.get(path)).body.retention, { days: null, effective_days: 10 });
    for (const [days, effective] of [
      [7, 7],
      [30, 10],
    ]) {
      const { body } = await owner.api.put(path, { retention: { days } });
      assert.deepEqual(body.retention, { days, effective_days: effective });
    }
    await upload(owner, id, { data: [{ value: 1, date: Math.floor(Date.now() / 1000) - 11 * DAY_S }, { value: 2 }] });
    await platform.container.purge.run();
    const { body } = await owner.api.get(`/sensors/${id}/data`);
    assert.deepEqual(
      body.data.map(({ value }: { value: string }) => value),
      ['2'],
    );
  });
});
