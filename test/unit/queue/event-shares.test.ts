import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isOfShare, nextOfShare } from '../../../src/notifications/dispatch/waiting-events';
import { EventShares } from '../../../src/queue/shard-assignment';

describe('the wake-ups of the event dispatch', () => {
  const keys = (workers: number | undefined, userIds?: readonly number[]) =>
    [...new EventShares({ latest: workers }).nudgesOf(userIds).keys()].join(' ');

  it('are two for each worker, at most eight, each once', () => {
    assert.equal(keys(1, [7, 9, 4]), '1-of-2 0-of-2');
    assert.equal(keys(3, [7, 1, 13]), '1-of-6');
    assert.equal(keys(100, [8, 15]), '0-of-8 7-of-8');
    assert.equal(keys(2), '0-of-4 1-of-4 2-of-4 3-of-4');
    assert.equal(keys(2, []), '');
  });

  it('are one for all users while the number of workers is unknown', () => {
    for (const workers of [undefined, 0]) assert.equal(keys(workers, [7, 9]), '0-of-1');
  });

  it('name a share of their users, from which the next id of the share is found', () => {
    const id = fc.nat({ max: 1_000_000 });
    fc.assert(
      fc.property(id, id, fc.nat({ max: 20 }), (userId, afterId, workers) => {
        const [share] = new EventShares({ latest: workers }).nudgesOf([userId]).values();
        assert.ok(share && isOfShare(userId, share));
        const next = nextOfShare(afterId, share);
        assert.ok(isOfShare(next, share) && next > afterId && next <= afterId + share.of);
      }),
    );
  });
});
