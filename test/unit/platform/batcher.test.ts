import assert from 'node:assert/strict';
import { Batcher } from '../../../src/platform/batcher';

describe('what is gathered', () => {
  const runs: number[][] = [];
  let end: (() => void)[] = [];
  const gathered = new Batcher(
    async (items: readonly number[]) => {
      runs.push([...items]);
      await new Promise<void>((resolve) => end.push(resolve));
      if (items.includes(13)) throw new Error('unlucky');
      return items.map((item) => item * 2);
    },
    { most: 3, atOnce: 2 },
  );
  const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
  const endAll = async () => {
    while (end.length > 0) {
      for (const one of end.splice(0)) one();
      await tick();
      await tick();
    }
  };
  beforeEach(() => {
    runs.length = 0;
    end = [];
  });

  it('shares a run in one tick and while enough runs are under way, up to a limit, each with its own result', async () => {
    const first = [1, 2, 3, 4].map((item) => gathered.add(item));
    await tick();
    assert.deepEqual(runs, [[1, 2, 3], [4]]);
    const later = [5, 6].map((item) => gathered.add(item));
    await tick();
    assert.equal(runs.length, 2);
    await endAll();
    assert.deepEqual(runs[2], [5, 6]);
    assert.deepEqual(await Promise.all([...first, ...later]), [2, 4, 6, 8, 10, 12]);
  });

  it('fails together, and goes on', async () => {
    const failing = Promise.allSettled([12, 13].map((item) => gathered.add(item)));
    await tick();
    await endAll();
    assert.deepEqual(
      (await failing).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    const next = gathered.add(7);
    await tick();
    await endAll();
    assert.equal(await next, 14);
  });
});
