import assert from 'node:assert/strict';
import fc from 'fast-check';
import { planPlaces } from '../../../../src/gateways/mqtt/place-plan';

/** Sources `owner:index`; ids are unique. */
function heldBy(owners: readonly number[]) {
  return owners.map((ownerId, id) => ({ id, ownerId, revision: 0, isConnected: true }));
}

function countsOf(ownerIds: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const ownerId of ownerIds) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  return counts;
}

/** As the statement orders them. */
function waitingOf(owners: readonly number[], counts: ReadonlyMap<number, number>) {
  const shares = new Map(counts);
  const all = owners.map((ownerId, index) => {
    const share = (shares.get(ownerId) ?? 0) + 1;
    shares.set(ownerId, share);
    return { id: 1_000 + index, ownerId, share };
  });
  return all.sort((one, other) => one.share - other.share);
}

describe('the places of a worker', () => {
  it('go to those that wait, as long as some are free', () => {
    const held = heldBy([1, 1]);
    const waiting = waitingOf([1, 1, 2], countsOf([1, 1]));
    const plan = planPlaces({ limit: 4, held, ofOwners: countsOf([1, 1]), waiting });
    assert.deepEqual(plan, { take: [1_002, 1_000], leave: [] });
  });

  it('are given up by the owner with the most, a source without connection first', () => {
    const held = heldBy([1, 1, 1, 2]).map((source) => ({ ...source, isConnected: source.id !== 1 }));
    const ofOwners = countsOf([1, 1, 1, 2]);
    const plan = planPlaces({ limit: 4, held, ofOwners, waiting: waitingOf([3, 3, 3], ofOwners) });
    assert.deepEqual(plan, { take: [1_000], leave: [1] });
  });

  it('are equal in the end, and then change hands no more', () => {
    const owner = fc.integer({ min: 1, max: 6 });
    fc.assert(
      fc.property(fc.array(owner, { maxLength: 10 }), fc.array(owner, { maxLength: 30 }), (held, waiting) => {
        const sources = heldBy(held);
        const ofOwners = countsOf(held);
        const { take, leave } = planPlaces({
          limit: 10,
          held: sources,
          ofOwners,
          waiting: waitingOf(waiting, ofOwners),
        });
        const staying = sources.filter(({ id }) => !leave.includes(id)).map(({ ownerId }) => ownerId);
        const taken = take.map((id) => waiting[id - 1_000] ?? 0);
        const left = sources.filter(({ id }) => leave.includes(id)).map(({ ownerId }) => ownerId);
        const after = [...staying, ...taken];
        const still = [...waiting.filter((_, index) => !take.includes(1_000 + index)), ...left];
        assert.equal(after.length, Math.min(10, held.length + waiting.length));
        const counts = countsOf(after);
        for (const ownerId of still) {
          assert.ok(Math.max(...counts.values()) <= (counts.get(ownerId) ?? 0) + 1, 'one of them has too few');
        }
        const again = planPlaces({
          limit: 10,
          held: heldBy(after),
          ofOwners: counts,
          waiting: waitingOf(still, counts),
        });
        assert.deepEqual(again, { take: [], leave: [] });
      }),
    );
  });
});
