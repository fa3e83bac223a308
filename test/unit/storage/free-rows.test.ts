import assert from 'node:assert/strict';
import fc from 'fast-check';
import { firstOfEach } from '../../../src/storage/free-rows';

type State = 'free' | 'locked' | 'gone';

describe('the first rows of lists', () => {
  const state = fc.constantFrom<State>('free', 'free', 'free', 'locked', 'gone');
  const cases = fc.array(fc.array(state, { maxLength: 30 }), { maxLength: 8 });

  it('are never taken from behind a locked one, and the very first one of each list is, if it is free', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (states) => {
        const lists = states.map((list, number) => list.map((_, index) => number * 100 + index));
        const stateOf = (id: number) => states[Math.floor(id / 100)]?.[id % 100];
        let asked = 0;
        const takeAll = async (ids: readonly number[]) => {
          asked += 1;
          assert.ok(ids.length > 0);
          return ids.some((id) => stateOf(id) === 'locked') ? undefined : ids.filter((id) => stateOf(id) === 'free');
        };
        const taken = new Set(await firstOfEach(lists, takeAll));
        for (const list of lists) {
          const before = list.slice(
            0,
            list.concat(-1).findIndex((id) => id === -1 || stateOf(id) === 'locked'),
          );
          const free = before.filter((id) => stateOf(id) === 'free');
          const count = list.filter((id) => taken.has(id)).length;
          assert.deepEqual(
            list.filter((id) => taken.has(id)),
            free.slice(0, count),
          );
          if (before.length === list.length) assert.equal(count, free.length, 'a list without a locked one is taken');
          if (before[0] !== undefined && stateOf(before[0]) === 'free') assert.ok(count > 0);
        }
        assert.ok(asked <= 1 + 2 * lists.length + 6 * lists.length, `${asked} statements`);
      }),
    );
  });
});
