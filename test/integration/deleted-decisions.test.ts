import assert from 'node:assert/strict';
import type { Decided } from '../../src/alerts/rules/sensor-state';
import { buildAlarm } from '../support/alarm';
import { buildTrigger, connectTrigger, upload } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { useCuttable, usePlatform, useUserPerTest } from '../support/hooks';
import type { Platform, TestUser } from '../support/platform';

/** After so long no worker still stores decisions about what was deleted. */
const STORED_BY_MS = 60_000;
const TRIGGER = { expression: 'sensor_data_value == "x"' };

/** What Redis has of the platform, key by key, as text. */
async function contentOfRedis({ container: { redis, config } }: Platform): Promise<string> {
  const keys = await redis.keys(`{${config.redisPrefix}*`);
  const contents = keys.map(async (key) => {
    const type = await redis.type(key);
    if (type === 'string') return [key, await redis.get(key)];
    if (type === 'list') return [key, await redis.lrange(key, 0, -1)];
    if (type === 'zset') return [key, await redis.zrange(key, '0', '-1')];
    if (type === 'hash') return [key, await redis.hgetall(key)];
    if (type === 'set') return [key, await redis.smembers(key)];
    if (type === 'stream') return [key, await redis.xrange(key, '-', '+')];
    return assert.fail(`${key} is a ${type}`);
  });
  return JSON.stringify(await Promise.all(contents));
}

/** Has the triggers of a sensor decide on a value. */
async function send(platform: Platform, user: TestUser, sensorId: string, value: string): Promise<void> {
  await upload(user, sensorId, { value });
  await platform.settle();
  await platform.container.decisionLog.flush();
}

/** An alarm that has decided on a value. */
async function decide(platform: Platform, user: TestUser, value: string) {
  const alarm = await buildAlarm(user, { trigger: TRIGGER, notifications: [] });
  await send(platform, user, alarm.sensorId, value);
  return alarm;
}

describe('the decisions about what was deleted', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);
  const index = () => `{${platform.container.config.redisPrefix}}:sensor-decisions`;
  const listOf = (sensorId: string) => platform.container.redis.exists(`${index()}:${sensorId}`);
  const total = async () => Number(await platform.container.redis.get(`${index()}:total`));
  const purge = async () => {
    clock.advance(STORED_BY_MS);
    await platform.container.purge.run();
  };

  it('are in Redis no more once the purge has done with a deleted account, nor is anything else that it had', async () => {
    const before = await total();
    const { sensorId } = await decide(platform, user, 'a private value');
    await decide(platform, user, 'another private value');
    const other = await platform.user();
    const kept = await decide(platform, other, 'of somebody else');
    assert.match(await contentOfRedis(platform), /a private value.*another private value|another private value/);
    assert.equal((await user.api.delete(`/users/${user.id}`)).status, 200);
    await purge();
    const left = await contentOfRedis(platform);
    for (const text of ['private', user.username, 'thermometer']) assert.ok(!left.includes(text), text);
    assert.match(left, /of somebody else/);
    assert.deepEqual([await listOf(sensorId), await listOf(kept.sensorId)], [0, 1]);
    assert.equal(await platform.container.redis.zscore(index(), sensorId), null);
    assert.equal(await total(), before + 1, 'only that of somebody else is counted');
    assert.deepEqual(await platform.query("SELECT * FROM purge_queue WHERE kind = 'decisions'"), []);
  });

  it('go even when a worker stores some of them after the deletion', async () => {
    const { sensorId, triggerId } = await decide(platform, user, 'stored before');
    assert.equal((await user.api.delete(`/sensors/${sensorId}`)).status, 200);
    const before = { lastTriggeredMs: 0, timesTriggered: 0, lastValue: null, lastDateMs: null };
    const late = {
      ...{ sensorId: Number(sensorId), sensorTriggerId: 1, triggerId: Number(triggerId), before },
      ...{ decision: { fire: false, reason: 'false' }, decidedMs: clock.now() },
      point: { value: 'stored afterwards', dateMs: clock.now() },
    } as Decided; // all that is kept of one
    await platform.container.purge.run();
    platform.container.decisionLog.write([late]);
    await platform.container.decisionLog.flush();
    assert.match(await contentOfRedis(platform), /stored afterwards/);
    await purge();
    assert.doesNotMatch(await contentOfRedis(platform), /stored/);
  });

  for (const way of ['deleted', 'disconnected']) {
    it(`go with a trigger that is ${way}, while those of the others of its sensor stay`, async () => {
      const { sensorId, triggerId } = await decide(platform, user, 'seen by one');
      const other = await buildTrigger(user, { expression: 'sensor_data_value == "y"' });
      await connectTrigger(user, sensorId, other);
      clock.advance(1_000);
      await send(platform, user, sensorId, 'seen by both');
      const path = way === 'deleted' ? `/triggers/${triggerId}` : `/sensors/${sensorId}/triggers/${triggerId}`;
      assert.equal((await user.api.delete(path)).status, 200);
      await purge();
      const left = await contentOfRedis(platform);
      assert.doesNotMatch(left, /seen by one/);
      const { decisions } = (await user.api.get(`/sensors/${sensorId}/triggers/${other}/decisions`)).body;
      assert.deepEqual(
        decisions.map(({ value }: { value: string }) => value),
        ['seen by both'],
      );
      assert.equal(left.split('seen by both').length - 1, 1, 'the decision of the other trigger alone');
      assert.equal((await user.api.delete(`/triggers/${other}`)).status, 200);
      await purge();
      assert.equal(await listOf(sensorId), 0);
    });
  }
});

describe('the decisions about what was deleted while Redis is unreachable', () => {
  const redis = useCuttable('REDIS_URL');
  const clock = fakeClock();
  const platform = usePlatform(() => ({ clock, config: { REDIS_URL: redis.url } }));
  const user = useUserPerTest(platform);

  it('go once it is there again', async () => {
    const { sensorId } = await decide(platform, user, 'a private value');
    assert.equal((await user.api.delete(`/sensors/${sensorId}`)).status, 200);
    clock.advance(STORED_BY_MS);
    await redis.cut();
    await platform.container.purge.run();
    await redis.restore();
    await platform.container.redis.ping();
    assert.match(await contentOfRedis(platform), /a private value/);
    clock.advance(STORED_BY_MS);
    await platform.container.purge.run();
    assert.doesNotMatch(await contentOfRedis(platform), /a private value/);
  });
});
