import assert from 'node:assert/strict';
import { wayUp } from '../../../src/domain/nesting';

describe('the way up from a thing', () => {
  const parents = new Map([
    [1, null],
    [2, 1],
    [3, 2],
    [4, 1],
  ]);

  it('leads over everything that it is in, itself first', () => {
    assert.deepEqual(wayUp(3, parents), [3, 2, 1]);
    assert.deepEqual(wayUp(4, parents), [4, 1]);
    assert.deepEqual(wayUp(1, parents), [1]);
  });

  it('ends at what is not known', () => {
    assert.deepEqual(wayUp(9, parents), [9]);
    assert.deepEqual(wayUp(5, new Map([[5, 6]])), [5, 6]);
  });

  it('ends even where somebody made a circle', () => {
    const circle = new Map([
      [1, 2],
      [2, 1],
    ]);
    assert.deepEqual(wayUp(1, circle), [1, 2]);
  });
});
