import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { buildAlarm } from '../../support/alarm';
import { upload } from '../../support/factories';
import { useReceiver } from '../../support/hooks';
import { ALL_WORK, type Platform, startPlatform } from '../../support/platform';
import { type RedisWithSentinel, startRedisWithSentinel } from '../../support/redis-sentinel';
import { until } from '../../support/until';

const hasRedis = spawnSync('redis-cli', ['--version']).status === 0;

describe('with sentinels of Redis', () => {
  let redis: RedisWithSentinel;
  let platform: Platform;
  const receiver = useReceiver();

  before(async function () {
    if (!hasRedis) this.skip();
    redis = await startRedisWithSentinel();
    platform = await startPlatform({ config: { REDIS_URL: redis.url } });
  });
  after(async () => {
    await platform?.close();
    await redis?.close();
  });

  it('goes on with the replica that replaces the master', async () => {
    const user = await platform.user();
    const alarm = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 1' },
      notifications: [{ type: 'url', destination: receiver.url }],
    });
    const other = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 1' },
      notifications: [{ type: 'url', destination: receiver.url }],
    });
    await platform.startWorkers(ALL_WORK);
    await upload(user, alarm.sensorId, { value: 2 });
    await until('the first alert has arrived', () => receiver.received.length === 1);
    redis.killMaster();
    await upload(user, other.sensorId, { value: 2 });
    await until('the second alert has arrived', () => receiver.received.length === 2);
    const { redisClient } = platform.container;
    await until('Redis is there again', () => redisClient.isReady);
    const role = await redisClient.ask(5_000, (connection) => connection.role());
    assert.equal(Object(role)[0], 'master');
  });
});
