import assert from 'node:assert/strict';
import { ancestorsOf } from '../../../src/domain/nesting';

describe('the way up from a thing', () => {
  const parents = new Map([
    [1, null],
    [2, 1],
    [3, 2],
    [4, 1],
  ]);

  it('leads over everything that it is in, itself first', () => {
    assert.deepEqual(ancestorsOf(3, parents), [3, 2, 1]);
    assert.deepEqual(ancestorsOf(4, parents), [4, 1]);
    assert.deepEqual(ancestorsOf(1, parents), [1]);
  });

  it('ends at what is not known', () => {
    assert.deepEqual(ancestorsOf(9, parents), [9]);
    assert.deepEqual(ancestorsOf(5, new Map([[5, 6]])), [5, 6]);
  });

  it('ends even where somebody made a circle', () => {
    const circle = new Map([
      [1, 2],
      [2, 1],
    ]);
    assert.deepEqual(ancestorsOf(1, circle), [1, 2]);
  });
});
