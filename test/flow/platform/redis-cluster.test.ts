import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { Cluster } from 'ioredis';
import { QUEUE_NAMES, queuePrefix } from '../../../jobs/queues';
import { buildAlarm } from '../../support/alarm';
import { buildTrigger, connectTrigger } from '../../support/factories';
import { useReceiver } from '../../support/hooks';
import { ALL_WORK, type Platform, startPlatform } from '../../support/platform';
import { type RedisCluster, startRedisCluster } from '../../support/redis-cluster';
import { timed } from '../../support/stopwatch';
import { until } from '../../support/until';

const hasRedis = spawnSync('redis-cli', ['--version']).status === 0;

describe('on a Redis Cluster', () => {
  let redis: RedisCluster;
  let platform: Platform;
  const receiver = useReceiver();

  before(async function () {
    if (!hasRedis) this.skip();
    redis = await startRedisCluster();
    // With a prefix by chance all queues could be on the same master.
    platform = await startPlatform({ config: { REDIS_URL: redis.url, REDIS_PREFIX: 'sensors' } });
  });
  after(async () => {
    await platform?.close();
    await redis?.close();
  });

  it('queues spread over the masters, and a master that is killed under load refuses and loses nothing', async () => {
    const user = await platform.user();
    const { sensorId } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value == 1' },
      notifications: [{ type: 'url', destination: receiver.url }],
    });
    const sentinel = await buildTrigger(user, { expression: 'sensor_data_value != last_sensor_data_value + 1' });
    await connectTrigger(user, sensorId, sentinel);
    await platform.startWorkers(ALL_WORK);
    let sent = 0;
    const send = async () => {
      sent += 1;
      const { status } = await user.api.post(`/sensors/${sensorId}/data`, {
        data: { value: sent, date: 1_700_000_000 + sent },
      });
      assert.equal(status, 201);
    };
    const isEvaluated = async () => {
      const states = await platform.query('SELECT last_data_value AS last FROM sensor_triggers WHERE sensor_id = ?', [
        sensorId,
      ]);
      return states.every(({ last }) => Number(last) === sent);
    };
    await send();
    await until('the first point is evaluated', isEvaluated);
    await receiver.waitFor(1);

    const passes = await masterOf('evaluation');
    passes.child.kill('SIGKILL');
    const startedAt = performance.now();
    while (performance.now() - startedAt < 5_000) await send();
    await until('all points are evaluated', isEvaluated);
    const [row] = await platform.query('SELECT times_triggered AS times FROM sensor_triggers WHERE trigger_id = ?', [
      sentinel,
    ]);
    assert.equal(row?.times, 0, 'a point was lost, doubled or out of order');
    assert.equal(receiver.received.length, 1);
    assert.equal((await platform.anonymous.get('/readyz')).status, 200);

    assert.ok((await timed(() => platform.stopWorkers())) < 10_000);
  });

  /** The master that has the keys of a queue; the queues are on more than one. */
  async function masterOf(name: (typeof QUEUE_NAMES)[number]) {
    const connection = platform.container.redis;
    assert.ok(connection instanceof Cluster);
    const { redisPrefix } = platform.container.config;
    const portOf = new Map<string, number>();
    for (const queue of QUEUE_NAMES) {
      const slot = Number(await connection.cluster('KEYSLOT', queuePrefix(redisPrefix, queue)));
      portOf.set(queue, Number(connection.slots[slot]?.[0]?.split(':').at(-1)));
    }
    assert.ok(new Set(portOf.values()).size > 1, `all queues are at ${[...portOf.values()]}`);
    return redis.nodes.find(({ port }) => port === portOf.get(name)) ?? assert.fail('no such node');
  }
});
