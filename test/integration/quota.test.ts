import assert from 'node:assert/strict';
import { Quota } from '../../src/fairness/quota';
import { usePlatform } from '../support/hooks';

const HOUR_MS = 3_600_000;

describe('a quota', () => {
  const platform = usePlatform();
  const build = (limit: number) => {
    const { redisClient, config, logger } = platform.container;
    return new Quota(redisClient, config.redisPrefix, { counted: `by-${limit}`, limit, windowMs: HOUR_MS }, logger);
  };

  for (const limit of [1, 3, 7]) {
    it(`of ${limit} an hour refuses exactly the next charge, until one is available`, async () => {
      const quota = build(limit);
      for (let left = limit - 1; left >= 0; left -= 1) {
        const charged = await quota.charge('ada');
        assert.deepEqual([charged?.remaining, charged?.exceeded], [left, false]);
      }
      for (const _ of [1, 2]) {
        const refused = await quota.charge('ada');
        assert.deepEqual([refused?.remaining, refused?.exceeded, refused?.limit], [0, true, limit]);
        const seconds = refused?.resetSeconds ?? 0;
        assert.ok(seconds > 3_600 / limit - 60 && seconds <= Math.ceil(3_600 / limit), `${seconds} s`);
      }
      assert.equal((await quota.charge('ben'))?.exceeded, false, 'each tenant has a quota');
    });
  }

  it('admits one charge of any size, which is paid for by waiting', async () => {
    const quota = build(10);
    assert.equal((await quota.charge('ada', 9))?.remaining, 1);
    assert.deepEqual((await quota.charge('ada', 1_000))?.exceeded, false);
    const refused = await quota.charge('ada');
    assert.ok(refused?.exceeded && refused.resetSeconds > 99 * 3_600 && refused.resetSeconds <= 100 * 3_600);
  });

  it('of 0 counts nothing', async () => {
    assert.deepEqual([build(0).isOn, await build(0).charge('ada')], [false, undefined]);
  });
});
