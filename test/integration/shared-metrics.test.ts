import assert from 'node:assert/strict';
import { createLogger } from '../../src/platform/logger';
import { Metrics } from '../../src/platform/metrics';
import { openRedis, RedisClient } from '../../src/queue';
import { SharedMetrics } from '../../src/queue/shared-metrics';
import { fakeClock } from '../support/fake-clock';
import { usePlatform } from '../support/hooks';

describe('/metrics', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });

  const read = async () => String((await platform.anonymous.get('/metrics')).body);
  /** A worker process of the same platform. */
  const worker = async (name: string, attempts: number) => {
    const metrics = new Metrics();
    metrics.attempts.inc({ type: 'url', outcome: 'delivered' }, attempts);
    metrics.deliveryStages.observe({ stage: 'answer' }, 0.02);
    await new SharedMetrics(
      platform.container.redisClient,
      platform.container.config.redisPrefix,
      metrics,
      clock,
    ).publish(name);
  };
  const attemptsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('delivery_attempts_total{'));

  it('shows the measurements of each worker by its name in addition to its own', async () => {
    platform.container.metrics.attempts.inc({ type: 'url', outcome: 'delivered' });
    await worker('one', 5);
    await worker('two', 7);
    const text = await read();
    assert.deepEqual(attemptsIn(text).sort(), [
      'delivery_attempts_total{type="url",outcome="delivered",worker="one"} 5',
      'delivery_attempts_total{type="url",outcome="delivered",worker="two"} 7',
      'delivery_attempts_total{type="url",outcome="delivered"} 1',
    ]);
    assert.match(text, /^delivery_stage_seconds_bucket\{le="0\.025",stage="answer",worker="one"\} 1$/m);
    assert.match(text, /^process_start_time_seconds \d+$/m);
    const types = text.split('\n').filter((line) => line.startsWith('# TYPE'));
    assert.equal(new Set(types).size, types.length, 'each metric is described once');
  });

  it('omits a worker that has published nothing for half a minute', async () => {
    clock.advance(30_000);
    await worker('two', 8);
    clock.advance(1);
    assert.ok(!(await read()).includes('worker="one"'));
    assert.ok((await read()).includes('worker="two"} 8'));
  });

  it('leaves out what a worker of another version published, and removes it', async () => {
    const { redis, config } = platform.container;
    const key = `{${config.redisPrefix}}:metrics`;
    for (const [name, text] of Object.entries({
      broken: '{"atMs":',
      other: JSON.stringify({ atMs: clock.now(), metrics: [{ name: 'x' }] }),
    })) {
      await redis.hset(key, name, text);
    }
    await worker('three', 9);
    const text = await read();
    assert.ok(text.includes('worker="three"} 9') && !text.includes('worker="broken"'));
    assert.deepEqual((await redis.hkeys(key)).sort(), ['three', 'two']);
  });

  it('shows only its own measurements when Redis is unreachable', async () => {
    const redis = openRedis('redis://127.0.0.1:1', createLogger('silent', 'test'));
    try {
      const text = await new SharedMetrics(new RedisClient(redis), 'x', platform.container.metrics, clock).show();
      assert.deepEqual(attemptsIn(text), ['delivery_attempts_total{type="url",outcome="delivered"} 1']);
    } finally {
      redis.disconnect();
    }
  });
});
