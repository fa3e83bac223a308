import assert from 'node:assert/strict';
import { ancestorsOf } from '../../../src/platform/nesting';

describe('ancestorsOf', () => {
  const parents = new Map([
    [1, null],
    [2, 1],
    [3, 2],
    [4, 1],
  ]);

  it('lists the item and everything that contains it', () => {
    assert.deepEqual(ancestorsOf(3, parents), [3, 2, 1]);
    assert.deepEqual(ancestorsOf(4, parents), [4, 1]);
    assert.deepEqual(ancestorsOf(1, parents), [1]);
  });

  it('ends at an unknown item', () => {
    assert.deepEqual(ancestorsOf(9, parents), [9]);
    assert.deepEqual(ancestorsOf(5, new Map([[5, 6]])), [5, 6]);
  });

  it('ends even in a cycle', () => {
    const circle = new Map([
      [1, 2],
      [2, 1],
    ]);
    assert.deepEqual(ancestorsOf(1, circle), [1, 2]);
  });
});
