import assert from 'node:assert/strict';
import { FairShareScheduler } from '../../../src/fairness/fair-share-scheduler';
import { PacedWork } from '../../../src/fairness/paced-work';

const [ANNA, BEN] = [1, 2];

describe('work in steps', () => {
  let nowMs = 0;
  const step = (ms: number) => () => {
    nowMs += ms;
    return ms;
  };
  const start = () => {
    const shares = new FairShareScheduler(() => nowMs);
    return { shares, work: new PacedWork(shares, ANNA) };
  };

  it('charges its owner for each step, even for one that throws', () => {
    const { shares, work } = start();
    assert.equal(work.measure(step(30)), 30);
    assert.throws(() =>
      work.measure(() => {
        nowMs += 70;
        throw new Error('a step failed');
      }),
    );
    assert.ok(shares.usedMs(ANNA) > 95, String(shares.usedMs(ANNA)));
    assert.equal(shares.usedMs(BEN), 20, 'a user without work counts as one who was never measured');
  });

  it('is due for a pause after 20 ms of computing, and not again right after it', async () => {
    const { work } = start();
    work.measure(step(15));
    assert.equal(work.isPauseDue, false);
    work.measure(step(10));
    assert.equal(work.isPauseDue, true);
    await work.pause();
    assert.equal(work.isPauseDue, false);
  });

  it('makes an owner wait who has used more than their share, and nobody else', async () => {
    const { shares, work } = start();
    work.measure(step(4_000));
    assert.deepEqual([shares.mustWait(ANNA), shares.mustWait(BEN)], [true, false]);
    let isOver = false;
    const pause = work.pause().then(() => {
      isOver = true;
    });
    await new PacedWork(shares, BEN).pause();
    assert.equal(isOver, false);
    nowMs += 4_000; // two half-lives
    await pause;
    assert.equal(shares.mustWait(ANNA), false);
  });
});
