import assert from 'node:assert/strict';
import { Schedule } from '../../src/maintenance/schedule';
import { createLogger } from '../../src/platform/logger';
import { Metrics } from '../../src/platform/metrics';
import { LeaderPerTick } from '../../src/queue/leader-per-tick';
import { usePlatform } from '../support/hooks';
import { sentDuring } from '../support/sent-statements';
import { until } from '../support/until';

describe('what workers repeat', () => {
  const platform = usePlatform();

  const intervals = (latest?: number) =>
    new LeaderPerTick(platform.container.redisClient, platform.container.config.redisPrefix, { latest });
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
    const takers = Array.from({ length: 5 }, () => intervals(2));
    const take = async (ms: number) =>
      (await Promise.all(takers.map((taker) => taker.take('work', ms)))).filter(Boolean);
    assert.equal((await take(60_000)).length, 1);
    assert.equal((await take(60_000)).length, 0);
    await platform.container.redis.del(`{${platform.container.config.redisPrefix}}:once:work`);
    assert.equal((await take(50)).length, 1);
    await until('the interval is over', async () => (await take(50)).length === 1);
  });

  it('is always that of the only worker, until it notices another', async () => {
    const workers: { latest: number | undefined } = { latest: 1 };
    const { redisClient, config } = platform.container;
    const taker = new LeaderPerTick(redisClient, config.redisPrefix, workers);
    for (let time = 0; time < 3; time += 1) assert.equal(await taker.take('alone', 60_000), true);
    assert.equal(await intervals(2).take('alone', 60_000), true, 'it has asked nobody');
    workers.latest = 2;
    assert.equal(await taker.take('alone', 60_000), false);
    workers.latest = undefined;
    assert.equal(await taker.take('alone', 60_000), false);
  });

  it('is nobody’s while Redis is away', async () => {
    const away = { isReady: false, ask: () => Promise.reject(new Error('Redis is not connected')) };
    for (const latest of [1, 2, undefined])
      assert.equal(await new LeaderPerTick(away, 'prefix', { latest }).take('work', 1), false);
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
