import assert from 'node:assert/strict';
import { partsOf } from '../../../src/platform/parts-of';

describe('partsOf', () => {
  it('keeps the order of all items, in parts of which only the last may be smaller', () => {
    assert.deepEqual(partsOf([], 2), []);
    assert.deepEqual(partsOf([1, 2], 2), [[1, 2]]);
    assert.deepEqual(partsOf([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]);
  });
});
