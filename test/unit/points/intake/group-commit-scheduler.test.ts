import assert from 'node:assert/strict';
import { setImmediate as tick } from 'node:timers/promises';
import type { Queued } from '../../../../src/fairness/fair-queue';
import { GroupCommitScheduler } from '../../../../src/points/intake/group-commit-scheduler';

const [HEAVY, NEIGHBOUR] = [1, 2];

/** A scheduler whose commits last until they are ended. */
function build() {
  const running: { points: number; end: () => void }[] = [];
  const held = new Set<number>();
  const commit = (group: Queued<number>[]) =>
    new Promise<void>((end) => {
      running.push({ points: group.reduce((sum, { size }) => sum + size, 0), end });
    });
  const commits = new GroupCommitScheduler(commit, (userId) => held.has(userId));
  return {
    commits,
    held,
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
  it('are one at a time for each user, of 500 points', async () => {
    const { upload, sizes, end, commits } = build();
    upload(HEAVY, 250, 12);
    assert.deepEqual([sizes(), commits.points], [[500], 2_500]);
    upload(NEIGHBOUR, 1, 3);
    assert.deepEqual(sizes(), [500, 3], 'the neighbour does not wait');
    upload(NEIGHBOUR, 1, 2);
    await end();
    assert.deepEqual(sizes(), [3, 500]);
    await end();
    assert.deepEqual([sizes(), commits.points], [[500, 2], 2_000]);
  });

  it('are shared by users whose commits are running, or who wait for one', async () => {
    const { upload, sizes, end } = build();
    for (const userId of [1, 2, 3, 4, 5]) upload(userId, 500, 2);
    assert.deepEqual(sizes(), [500, 500, 500]);
    for (let userId = 10; userId < 110; userId += 1) upload(userId, 1);
    for (const next of [4, 5]) {
      await end();
      assert.deepEqual(sizes(), [500, 500, 500], `user ${next}, who has got nothing, is next`);
    }
    await end();
    assert.deepEqual(sizes(), [500, 500, 600], 'then the small uploads, together');
  });

  it('take a request of more points alone, and none of a user who is held', async () => {
    const { upload, sizes, end, held, commits } = build();
    held.add(NEIGHBOUR);
    upload(NEIGHBOUR, 1);
    upload(HEAVY, 10_000, 3);
    assert.deepEqual(sizes(), [10_000]);
    await end();
    assert.deepEqual(sizes(), [10_000]);
    held.clear();
    commits.next();
    assert.deepEqual(sizes(), [10_000, 1]);
  });
});
