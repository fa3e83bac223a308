import assert from 'node:assert/strict';
import { createLogger } from '../../src/logger';
import { Schedule } from '../../src/maintenance/schedule';
import { Metrics } from '../../src/metrics';
import { OncePerInterval } from '../../src/redis/once-per-interval';
import { usePlatform } from '../support/hooks';
import { sentDuring } from '../support/sent-statements';
import { until } from '../support/until';

describe('what workers repeat', () => {
  const platform = usePlatform();

  const intervals = () => new OncePerInterval(platform.container.redisClient, platform.container.config.redisPrefix);
  /** The schedule of another worker of the same platform. */
  const worker = (parts: Partial<ConstructorParameters<typeof Schedule>[0]> = {}) => {
    const { sweep, purge } = platform.container;
    const metrics = new Metrics();
    const logger = createLogger('silent', 'test');
    const schedule = new Schedule({ sweep, purge, intervals: intervals(), metrics, logger, ...parts });
    const counts = async () => {
      const { values } = await metrics.scheduled.get();
      return values
        .filter(({ metricName }) => metricName?.endsWith('_count'))
        .map(({ labels, value }) => `${labels.work} ${labels.outcome} ${value}`);
    };
    return { schedule, counts };
  };

  it('is done by one of those that ask at the same time, and again after the interval or when Redis is emptied', async () => {
    const takers = Array.from({ length: 5 }, intervals);
    const take = async (ms: number) =>
      (await Promise.all(takers.map((taker) => taker.take('work', ms)))).filter(Boolean);
    assert.equal((await take(60_000)).length, 1);
    assert.equal((await take(60_000)).length, 0);
    await platform.container.redis.del(`{${platform.container.config.redisPrefix}}:once:work`);
    assert.equal((await take(50)).length, 1);
    await until('the interval is over', async () => (await take(50)).length === 1);
  });

  it('is nobody’s while Redis is away', async () => {
    const away = { ask: () => Promise.reject(new Error('Redis is not connected')) };
    assert.equal(await new OncePerInterval(away, 'prefix').take('work', 1), false);
  });

  it('is a sweep of one worker, and looks at everything that may wait in one statement', async () => {
    const workers = [worker(), worker(), worker()];
    const sent = await sentDuring(async () => {
      await Promise.all(workers.map(({ schedule }) => schedule.run('sweep')));
    });
    assert.equal(sent.filter((sql) => /FROM inbox_batches/.test(sql)).length, 1);
    assert.equal(sent.length, 1);
    assert.deepEqual((await Promise.all(workers.map(({ counts }) => counts()))).flat(), ['sweep done 1']);
  });

  it('goes on after a failure, and ends when it is asked to', async () => {
    const always = { take: async () => true };
    const failing = {
      enqueueDeliveries: async () => undefined,
      enqueueWaiting: () => Promise.reject(new Error('refused')),
    };
    const { schedule, counts } = worker({ intervals: always, sweep: failing });
    schedule.start();
    await until('it has failed twice', async () => (await counts()).includes('sweep failed 2'), 5_000);
    await schedule.stop();
    const before = await counts();
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.deepEqual(await counts(), before);
  });
});
