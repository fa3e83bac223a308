import assert from 'node:assert/strict';
import { ShardAssignment } from '../../../src/queue/shard-assignment';

describe('the wake-ups of partitions', () => {
  const nudges = (count: number, workers: number | undefined, partitions: readonly number[]) => {
    const groups = new ShardAssignment({ count }, { latest: workers });
    return [...groups.nudgesOf(partitions).values()].map(({ id, partitions: all }) => `${id}: ${all}`);
  };

  it('are one for each worker, with all partitions of its group', () => {
    assert.deepEqual(nudges(8, 1, [0, 1, 6]), ['partitions-0-of-1-in-8: 0,1,2,3,4,5,6,7']);
    assert.deepEqual(nudges(8, 2, [0, 1, 2, 6]), [
      'partitions-0-of-2-in-8: 0,2,4,6',
      'partitions-1-of-2-in-8: 1,3,5,7',
    ]);
    assert.deepEqual(nudges(7, 2, [5]), ['partitions-1-of-2-in-7: 1,3,5']);
    assert.deepEqual(nudges(8, 6, [7, 1]), ['partitions-1-of-6-in-8: 1,7']);
    assert.deepEqual(nudges(8, 6, [5]), ['partitions-5-of-6-in-8: 5']);
  });

  it('are one for each partition with as many workers, or when nobody knows how many there are', () => {
    const each = ['partition-0: 0', 'partition-3: 3'];
    assert.deepEqual(nudges(8, 8, [0, 3]), each);
    assert.deepEqual(nudges(8, 100, [0, 3]), each);
    assert.deepEqual(nudges(8, undefined, [0, 3, 0]), each);
  });

  it('name partitions of a former, larger number one by one', () => {
    assert.deepEqual(nudges(4, 2, [9, 1]), ['partition-9: 9', 'partitions-1-of-2-in-4: 1,3']);
  });

  it('cover every partition by exactly one group, whatever their number', () => {
    for (let count = 1; count <= 20; count += 1) {
      for (let workers = 1; workers <= 12; workers += 1) {
        const all = Array.from({ length: count }, (_, index) => index);
        const groups = new ShardAssignment({ count }, { latest: workers });
        const found = [...groups.nudgesOf(all).values()].flatMap(({ partitions }) => partitions);
        assert.deepEqual(
          found.sort((a, b) => a - b),
          all,
        );
      }
    }
  });
});
