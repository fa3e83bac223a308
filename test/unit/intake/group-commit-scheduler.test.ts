import assert from 'node:assert/strict';
import { setImmediate as tick } from 'node:timers/promises';
import { GroupCommitScheduler } from '../../../src/intake/group-commit-scheduler';
import { UploadQueue } from '../../../src/intake/upload-queue';

interface Request {
  userId: number;
  size: number;
  bytes: number;
}

const [HEAVY, NEIGHBOUR] = [1, 2];

/** A scheduler whose commits last until they are ended. */
function buildScheduler() {
  const queue = new UploadQueue<Request>();
  const underWay: { points: number; end: () => void }[] = [];
  let now = 1_000_000;
  const commit = (group: Request[]) =>
    new Promise<void>((end) => {
      underWay.push({ points: group.reduce((sum, { size }) => sum + size, 0), end });
    });
  const scheduler = new GroupCommitScheduler(queue, { now: () => now }, commit);
  return {
    scheduler,
    pass: (ms: number) => {
      now += ms;
    },
    upload: (userId: number, size: number, requests = 1) => {
      for (let n = 0; n < requests; n += 1) queue.add({ userId, size, bytes: size });
      scheduler.next();
    },
    /** The points of each commit under way. */
    sizes: () => underWay.map(({ points }) => points),
    /** Ends the oldest commit, and lets others begin. */
    end: async () => {
      underWay.shift()?.end();
      await tick();
    },
  };
}

describe('commits of uploads', () => {
  it('are two at a time, of 1,000 points each, while one user uploads', async () => {
    const { upload, sizes, end } = buildScheduler();
    upload(HEAVY, 250, 12);
    assert.deepEqual(sizes(), [1_000]);
    upload(HEAVY, 250);
    assert.deepEqual(sizes(), [1_000, 1_000], 'the second begins with the next request');
    await end();
    assert.deepEqual(sizes(), [1_000, 1_000]);
  });

  it('of much are one at a time, and half as large, from when a user with few points is there until a second after', async () => {
    const { upload, sizes, end, pass } = buildScheduler();
    upload(HEAVY, 250, 40);
    upload(HEAVY, 250);
    upload(NEIGHBOUR, 1);
    assert.deepEqual(sizes(), [1_000, 1_000, 1], 'the neighbour waits for neither');
    await end();
    assert.deepEqual(sizes(), [1_000, 1], 'the second is still under way');
    await end();
    assert.deepEqual(sizes(), [1, 500]);
    await end();
    upload(NEIGHBOUR, 1);
    assert.deepEqual(sizes(), [500, 1]);
    pass(1_000);
    await end();
    assert.deepEqual(sizes(), [1, 1_000]);
    await end();
    upload(HEAVY, 250);
    assert.deepEqual(sizes(), [1_000, 1_000]);
  });

  it('are two at a time where all users have few points', async () => {
    const { upload, sizes, end } = buildScheduler();
    for (let userId = 1; userId <= 600; userId += 1) upload(userId, 5);
    assert.deepEqual(sizes(), [5, 35, 50]);
    await end();
    assert.deepEqual(sizes(), [35, 50, 1_000]);
  });

  it('wait for the one under way while they are small', async () => {
    const { upload, sizes, end } = buildScheduler();
    upload(HEAVY, 1);
    upload(NEIGHBOUR, 31);
    assert.deepEqual(sizes(), [1]);
    upload(NEIGHBOUR, 1);
    assert.deepEqual(sizes(), [1, 32]);
    upload(NEIGHBOUR, 31);
    await end();
    assert.deepEqual(sizes(), [32]);
    await end();
    assert.deepEqual(sizes(), [31]);
  });
});
