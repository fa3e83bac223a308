import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TenantPermits } from '../../../../src/notifications/delivery/permits';

const takeAll = (permits: TenantPermits, ownerId: number) => {
  let count = 0;
  while (count < 1_000 && permits.take(ownerId)) count += 1;
  return count;
};

describe('the places of attempts', () => {
  it('are eight ninths of all for one user, then of the rest, and one for the next', () => {
    const permits = new TenantPermits(50);
    assert.deepEqual(
      [1, 2].map((ownerId) => takeAll(permits, ownerId)),
      [45, 4],
    );
    assert.equal(permits.take(3), true);
  });

  it('can be used by every user once they are released, and a release reports whether users were refused', () => {
    const permits = new TenantPermits(4);
    assert.equal(takeAll(permits, 1), 3);
    for (let index = 0; index < 3; index += 1) assert.equal(permits.release(1), true);
    assert.equal(permits.take(2), true);
    assert.equal(permits.release(2), false, 'no user was refused');
    assert.equal(takeAll(permits, 2), 3);
  });

  it('are never used up by one user', () => {
    const steps = fc.array(fc.record({ ownerId: fc.integer({ min: 1, max: 9 }), take: fc.boolean() }));
    fc.assert(
      fc.property(steps, (given) => {
        const permits = new TenantPermits(20);
        const underWay = new Map<number, number>();
        for (const { ownerId, take } of given) {
          const own = underWay.get(ownerId) ?? 0;
          if (take && permits.take(ownerId)) underWay.set(ownerId, own + 1);
          else if (!take && own > 0) {
            permits.release(ownerId);
            underWay.set(ownerId, own - 1);
          }
        }
        const total = [...underWay.values()].reduce((sum, own) => sum + own, 0);
        assert.equal(permits.take(99), true, 'a newcomer finds a place while any is free');
        assert.ok(total <= 20);
        for (const own of underWay.values()) assert.ok(own <= 18);
      }),
    );
  });
});
