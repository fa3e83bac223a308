import assert from 'node:assert/strict';
import { setImmediate as tick } from 'node:timers/promises';
import type { Queued } from '../../../src/fairness/fair-queue';
import { GroupCommitScheduler } from '../../../src/intake/group-commit-scheduler';

const [HEAVY, NEIGHBOUR] = [1, 2];

/** A scheduler whose commits last until they are ended. */
function build() {
  const running: { points: number; end: () => void }[] = [];
  const held = new Set<number>();
  let now = 1_000_000;
  const commit = (group: Queued<number>[]) =>
    new Promise<void>((end) => {
      running.push({ points: group.reduce((sum, { size }) => sum + size, 0), end });
    });
  const commits = new GroupCommitScheduler({ now: () => now }, commit, (userId) => held.has(userId));
  return {
    commits,
    held,
    pass: (ms: number) => {
      now += ms;
    },
    upload: (userId: number, size: number, requests = 1) => {
      for (let n = 0; n < requests; n += 1) commits.add({ tenant: userId, size, weight: size });
      commits.next();
    },
    /** The points of each running commit. */
    sizes: () => running.map(({ points }) => points),
    /** Ends the oldest commit, and lets others begin. */
    end: async () => {
      running.shift()?.end();
      await tick();
    },
  };
}

describe('commits of uploads', () => {
  it('are two at a time, of 500 points each, while one user uploads', async () => {
    const { upload, sizes, end, commits } = build();
    upload(HEAVY, 250, 12);
    assert.deepEqual(sizes(), [500, 500]);
    await end();
    assert.deepEqual([sizes(), commits.points], [[500, 500], 1_500]);
  });

  it('are one at a time for each user while others upload, until a second after', async () => {
    const { upload, sizes, end, pass } = build();
    upload(HEAVY, 500, 40);
    upload(NEIGHBOUR, 1);
    assert.deepEqual(sizes(), [500, 500, 1], 'the neighbour waits for neither');
    await end();
    assert.deepEqual(sizes(), [500, 1]);
    upload(NEIGHBOUR, 1);
    await end();
    assert.deepEqual(sizes(), [1, 500]);
    await end();
    assert.deepEqual(sizes(), [500, 1]);
    await end();
    await end();
    pass(999);
    upload(HEAVY, 500);
    assert.deepEqual(sizes(), [500]);
    pass(1);
    upload(HEAVY, 500);
    assert.deepEqual(sizes(), [500, 500]);
  });

  it('are shared by users whose commits are running, or who wait for one', async () => {
    const { upload, sizes, end } = build();
    for (const userId of [1, 2, 3, 4, 5]) upload(userId, 500, 2);
    assert.deepEqual(sizes(), [500, 500, 500]);
    for (let userId = 10; userId < 110; userId += 1) upload(userId, 1);
    await end();
    assert.deepEqual(sizes(), [500, 500, 600], 'small uploads are next, together');
  });

  it('take a request of more points alone, and none of a user who is held', async () => {
    const { upload, sizes, end, held, commits } = build();
    held.add(NEIGHBOUR);
    upload(NEIGHBOUR, 1);
    upload(HEAVY, 10_000, 3);
    assert.deepEqual(sizes(), [10_000, 10_000]);
    await end();
    assert.deepEqual(sizes(), [10_000, 10_000]);
    held.clear();
    commits.next();
    assert.deepEqual(sizes(), [10_000, 10_000, 1]);
  });
});
