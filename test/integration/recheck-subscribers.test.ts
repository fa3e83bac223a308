import assert from 'node:assert/strict';
import type { Pool, PoolConnection } from 'mysql2/promise';
import { editRulesOn } from '../../src/access/rule-edit';
import { DataPointWriter } from '../../src/points/intake/data-point-writer';
import { buildSensor, buildTrigger } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { watchPool } from '../support/watched-pool';

const DATE_MS = 1_700_000_000_000;

/** What another process commits while an upload is under way. */
interface Meanwhile {
  beforeCommit?: () => Promise<unknown>;
  afterCommit?: () => Promise<unknown>;
}

describe('an upload next to a change of its sensors', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  const write = (sensorIds: readonly string[], meanwhile: Meanwhile) =>
    writeOn(interrupted(platform.container.database.uploads, meanwhile), sensorIds);
  const writeOn = async (pool: Pool, sensorIds: readonly string[]) => {
    const { jobQueue, clock, layout, metrics } = platform.container;
    const signal = { notify() {} };
    const writer = new DataPointWriter(pool, jobQueue, clock, layout, metrics, signal);
    const points = [{ dateMs: DATE_MS, value: '1' }];
    const batches = sensorIds.map((id) => ({ sensorId: Number(id), points, receivedMs: clock.now() }));
    return writer.write(Number(user.id), batches);
  };
  const raise = (sensorId: string) =>
    editRulesOn(platform.container.database.pool, (edit) => edit.affects({ sensorIds: [Number(sensorId)] }));
  const connect = async (sensorId: string) => {
    const triggerId = await buildTrigger(user, { expression: 'sensor_data_value > 0' });
    await platform.query('INSERT INTO sensor_triggers (sensor_id, trigger_id, created_ms) VALUES (?)', [
      [sensorId, triggerId, Date.now()],
    ]);
    await raise(sensorId);
    return triggerId;
  };
  const firedOf = async (sensorId: string, triggerId: string) =>
    (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body.trigger.times_triggered;

  it('is evaluated once by a trigger that is connected between its look and its commit', async () => {
    const [sensorId, other] = [await buildSensor(user), await buildSensor(user)];
    const known = await connect(other);
    let triggerId = '';
    const beforeCommit = async () => {
      triggerId = await connect(sensorId);
    };
    assert.ok('storedMs' in Object(await write([sensorId, other], { beforeCommit })));
    const batches = await platform.query('SELECT SUM(points) AS points FROM inbox_batches');
    assert.deepEqual(
      batches.map(({ points }) => Number(points)),
      [2],
    );
    await platform.settle();
    assert.deepEqual([await firedOf(sensorId, triggerId), await firedOf(other, known)], [1, 1]);
  });

  it('reaches a stream that has begun meanwhile', async () => {
    const sensorId = await buildSensor(user);
    const afterCommit = async () => {
      await platform.query("INSERT INTO stream_topics (kind, thing_id, until_ms) VALUES ('sensor', ?, ?)", [
        sensorId,
        1e13,
      ]);
      await raise(sensorId);
    };
    await write([sensorId], { afterCommit });
    const arrivals = await platform.query('SELECT items FROM change_log WHERE thing_id = ?', [sensorId]);
    assert.deepEqual(arrivals, [{ items: String(DATE_MS) }]);
  });

  it('leaves nothing of a sensor that was deleted meanwhile', async () => {
    const [sensorId, other] = [await buildSensor(user), await buildSensor(user)];
    const afterCommit = async () => assert.equal((await user.api.delete(`/sensors/${sensorId}`)).status, 200);
    await write([sensorId, other], { afterCommit });
    const points = await platform.query('SELECT sensor_id AS id FROM data_points WHERE sensor_id IN (?)', [
      [sensorId, other],
    ]);
    assert.deepEqual(
      points.map(({ id }) => String(id)),
      [other],
    );
  });

  it('is looked at again once, and only after a change in the partition of its sensor', async () => {
    const { database, config } = platform.container;
    const sensorId = await buildSensor(user);
    const partition = Number(sensorId) % config.partitions;
    const commitsWhile = async (changed: number) => {
      let commits = 0;
      const onCommit = async () => {
        commits += 1;
        await platform.query('UPDATE partitions SET upload_epoch = upload_epoch + 1 WHERE partition_no = ?', [changed]);
      };
      assert.ok('storedMs' in Object(await writeOn(watchPool(database.uploads, { onCommit }), [sensorId])));
      return commits;
    };
    assert.equal(await commitsWhile(partition), 2);
    assert.equal(await commitsWhile((partition + 1) % config.partitions), 1);
  });
});

/** A pool that is interrupted around the commit of its first transaction. */
function interrupted(pool: Pool, { beforeCommit, afterCommit }: Meanwhile): Pool {
  let isFirst = true;
  const commitOf = (connection: PoolConnection) => async () => {
    const wasFirst = isFirst;
    isFirst = false;
    if (wasFirst) await beforeCommit?.();
    await connection.commit();
    if (wasFirst) await afterCommit?.();
  };
  const proxy = <T extends object>(target: T, methods: Record<string, unknown>): T =>
    new Proxy(target, {
      get: (_, key) => {
        if (typeof key === 'string' && key in methods) return methods[key];
        const value = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  const getConnection = async () => {
    const connection = await pool.getConnection();
    // One statement at a time, so that the commit is sent by itself.
    return proxy(connection, { connection: {}, commit: commitOf(connection) });
  };
  return proxy(pool, { getConnection });
}
