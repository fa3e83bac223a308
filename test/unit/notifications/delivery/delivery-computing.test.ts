import assert from 'node:assert/strict';
import { FairShareScheduler } from '../../../../src/fairness/fair-share-scheduler';
import { DeliveryComputing } from '../../../../src/notifications/delivery/delivery-computing';
import { inOneStep, type Steps } from '../../../../src/platform/steps';

describe('the computing for deliveries', () => {
  let nowMs = 0;
  const shares = new FairShareScheduler(() => nowMs);
  const computing = new DeliveryComputing(shares);
  beforeEach(() => {
    nowMs += 3_600_000;
  });
  /** `count` steps that take 10 ms each. */
  function* work(count: number, onStep: () => void = () => undefined): Steps<string> {
    for (let step = 0; step < count; step += 1) {
      nowMs += 10;
      onStep();
      yield;
    }
    return 'done';
  }

  it('is charged to its owner, and lets the costly deliveries of this owner only wait', async () => {
    assert.equal(await computing.run(1, work(70)), 'done');
    assert.ok(!computing.mustWait(1));
    await computing.run(1, work(20));
    assert.deepEqual([computing.mustWait(1), computing.mustWait(2)], [true, false]);
    assert.ok(shares.usedMs(1) > 750);
    nowMs += 4_000;
    assert.ok(!computing.mustWait(1));
  });

  it('of other kinds lets no delivery wait', () => {
    shares.chargeTime(3, 10_000);
    assert.deepEqual([shares.mustWait(3), computing.mustWait(3)], [true, false]);
  });

  it('pauses after 20 ms, over all owners, so that other work runs', async () => {
    let longest = 0;
    let begun = nowMs;
    let isOver = false;
    const watch = () => {
      begun = nowMs;
      if (!isOver) setImmediate(watch);
    };
    setImmediate(watch);
    const step = () => {
      longest = Math.max(longest, nowMs - begun);
    };
    await Promise.all(Array.from({ length: 30 }, (_, owner) => computing.run(owner, work(5, step))));
    isOver = true;
    assert.ok(longest > 0 && longest <= 50, `${longest} ms`);
  }).retries(2);

  it('takes the owners in order of their arrival again and again, however much one of them needs', async () => {
    const ended: string[] = [];
    const long = computing.run(1, work(100)).then(() => ended.push('long'));
    const short = computing.run(2, work(3)).then(() => ended.push('short'));
    await Promise.all([long, short]);
    assert.deepEqual(ended, ['short', 'long']);
  });

  it('gives its permit back if a step throws', async () => {
    const failing = inOneStep(() => assert.fail('as expected'));
    await assert.rejects(computing.run(1, failing), /as expected/);
    assert.equal(await computing.run(1, work(1)), 'done');
  });
});
