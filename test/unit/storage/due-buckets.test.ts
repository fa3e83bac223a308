import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bucketsOf, DUE_BUCKETS, partitionsOf } from '../../../src/storage/due-buckets';

describe('buckets of due inactivities', () => {
  const counts = fc.integer({ min: 1, max: 4096 });
  const ids = fc.integer({ min: 1, max: 2 ** 40 });

  it('contain every sensor of a partition, for any number of partitions', () => {
    fc.assert(
      fc.property(counts, ids, (count, id) => {
        assert.ok(bucketsOf([id % count], count).includes(id % DUE_BUCKETS));
        assert.ok(partitionsOf([id % DUE_BUCKETS], count).includes(id % count));
      }),
    );
  });

  it('belong to one partition each where the number of partitions divides theirs', () => {
    for (const count of [1, 2, 4, 8, 16, 32, 64]) {
      const buckets = Array.from({ length: count }, (_, partition) => bucketsOf([partition], count));
      assert.equal(buckets.flat().length, DUE_BUCKETS);
      assert.equal(new Set(buckets.flat()).size, DUE_BUCKETS);
    }
    assert.deepEqual(partitionsOf([3, 11], 8), [3]);
    assert.deepEqual(partitionsOf([], 8), []);
  });
});
