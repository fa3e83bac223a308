import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  audiencePart,
  type EventInterest,
  isFromSource,
  nextPortion,
} from '../../../../src/notifications/events/event-matching';

const interest = (fields: Partial<EventInterest> = {}): EventInterest => ({
  id: 1,
  ownerId: 1,
  sourceId: null,
  priority: 0,
  ...fields,
});
const inOrder = (interests: readonly EventInterest[]) =>
  [...interests].sort((a, b) => a.ownerId - b.ownerId || b.priority - a.priority || a.id - b.id);
const idsOf = (interests: readonly EventInterest[] = []) => interests.map(({ id }) => id);

describe('the portions in which an event is dispatched', () => {
  it('are limited to the source that an event notification names, if any', () => {
    assert.equal(isFromSource({ sourceId: null }, 7), true);
    assert.equal(isFromSource({ sourceId: 7 }, 7), true);
    assert.equal(isFromSource({ sourceId: 8 }, 7), false);
    assert.equal(isFromSource({ sourceId: 7 }, null), false);
  });

  it('contain each user of the audience once, in order, continuing after the previous portion', () => {
    assert.deepEqual(audiencePart([5, 3, 3, 9, 1], null, 10), {
      users: [1, 3, 5, 9],
      hasMore: false,
      doneUserId: null,
    });
    assert.deepEqual(audiencePart([5, 3, 3, 9, 1], 1, 2), { users: [3, 5], hasMore: true, doneUserId: 1 });
    assert.deepEqual(audiencePart([5, 3], 5, 2), { users: [], hasMore: false, doneUserId: 5 });
  });

  it('are ordered by priority and age over all of their users', () => {
    const interests = inOrder([
      interest({ id: 1, priority: -5 }),
      interest({ id: 2, priority: 9 }),
      interest({ id: 3, ownerId: 2, priority: 10 }),
      interest({ id: 4, priority: 9 }),
    ]);
    const portion = nextPortion(audiencePart([1, 2], null, 10), interests, 4, 4);
    assert.deepEqual([idsOf(portion?.interests), portion?.doneUserId], [[3, 2, 4, 1], null]);
  });

  it('end before a user whose matches no longer fit', () => {
    const interests = inOrder([1, 2, 3, 4].map((id) => interest({ id, ownerId: Math.ceil(id / 2) })));
    const part = audiencePart([1, 2], null, 10);
    const portion = nextPortion(part, interests, 3, 10);
    assert.deepEqual([idsOf(portion?.interests), portion?.doneUserId], [[1, 2], 1]);
    assert.equal(nextPortion(part, interests, 1, 10), undefined);
  });

  it('divide the matches of one user only when they do not fit into one portion', () => {
    const interests = inOrder([1, 2, 3].map((id) => interest({ id, ownerId: 5, priority: id })));
    const portion = nextPortion(audiencePart([1, 5], 1, 10), interests, 2, 2);
    assert.deepEqual([idsOf(portion?.interests), portion?.doneUserId], [[3, 2], 1]);
  });

  it('reach each event notification once and end, whatever the bounds', () => {
    const interests = fc.array(
      fc.record({ ownerId: fc.integer({ min: 1, max: 5 }), priority: fc.integer({ min: 0, max: 3 }) }),
      { maxLength: 30 },
    );
    const bounds = fc.record({ users: fc.integer({ min: 1, max: 6 }), matches: fc.integer({ min: 1, max: 8 }) });
    fc.assert(
      fc.property(interests, bounds, fc.array(fc.integer({ min: 1, max: 8 })), (fields, { users, matches }, rooms) => {
        const all = inOrder(fields.map((field, id) => interest({ id, ...field })));
        const reached = new Set<number>();
        const dispatched: EventInterest[] = [];
        let doneUserId: number | null = null;
        for (let step = 0; ; step += 1) {
          assert.ok(step < 200, 'it ends');
          const part = audiencePart([1, 2, 3, 4, 5], doneUserId, users);
          const room = Math.min(matches, rooms[step] ?? matches);
          const left = all.filter(({ id, ownerId }) => part.users.includes(ownerId) && !reached.has(id));
          const portion = nextPortion(part, left.slice(0, matches + 1), room, matches);
          if (!portion) continue;
          assert.ok(portion.interests.length <= room);
          for (const { id } of portion.interests) assert.ok(!reached.has(id) && reached.add(id));
          dispatched.push(...portion.interests);
          doneUserId = portion.doneUserId;
          if (doneUserId === null) break;
        }
        assert.equal(reached.size, all.length);
        for (const ownerId of [1, 2, 3, 4, 5]) {
          const isOwn = (one: EventInterest) => one.ownerId === ownerId;
          assert.deepEqual(idsOf(dispatched.filter(isOwn)), idsOf(all.filter(isOwn)), 'of each user by priority');
        }
      }),
    );
  });
});
