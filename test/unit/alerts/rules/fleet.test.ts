import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type FleetClock,
  FleetMembers,
  type MemberPoint,
  packMembers,
  unpackMembers,
} from '../../../../src/alerts/rules/fleet';

const EMPTY = Buffer.alloc(0);
const NONE = new Set<number>();

const point = (sensorId: number, value: number, dateMs: number, receivedMs = dateMs): MemberPoint => ({
  ...{ sensorId, value, dateMs, receivedMs },
});
const membersOf = (ids: readonly number[], nowMs = 0): FleetMembers => {
  const members = FleetMembers.decode(EMPTY);
  members.follow(ids, nowMs);
  members.read(ids, new Map());
  return members;
};
const clock = (given: Partial<FleetClock>): FleetClock => ({
  ...{ nowMs: 0, availableUntilMs: given.nowMs ?? 0, inactiveAfter: 60, outages: [], waiting: NONE },
  ...given,
});

describe('the members of a fleet', () => {
  it('keep their points in bytes, also where there is no number', () => {
    const points = [point(3, 21.5, 1_000, 1_001), point(9_007_199_254_740_991, Number.NaN, -1, 5)];
    assert.deepEqual(unpackMembers(packMembers(points)), points);
    const members = membersOf([3, 7]);
    members.fold(packMembers([point(7, -0.1, 10)]));
    assert.deepEqual(FleetMembers.decode(members.encode()).points, members.points);
  });

  it('count all, and average those with a number', () => {
    const members = membersOf([1, 2, 3]);
    members.fold(packMembers([point(1, 4, 10), point(3, 1, 10)]));
    assert.deepEqual(members.output(NONE, 0), {
      ...{ count: 3, average: 2.5, minimum: 1, maximum: 4, sum: 5, silent: 0, firing: 0 },
    });
    assert.deepEqual(membersOf([1]).output(new Set([1, 8]), 1), {
      ...{ count: 1, average: null, minimum: null, maximum: null, sum: 0, silent: 1, firing: 1 },
    });
  });

  it('take the newest date, of equal dates the later one, and the latest arrival of all', () => {
    const members = membersOf([1]);
    members.fold(packMembers([point(1, 10, 1_000, 1_000)]));
    members.fold(packMembers([point(1, 99, 500, 3_000)]));
    assert.deepEqual(members.points, [point(1, 10, 1_000, 3_000)]);
    members.fold(packMembers([point(1, 11, 1_000, 2_000)]));
    assert.deepEqual(members.points, [point(1, 11, 1_000, 3_000)]);
    members.fold(packMembers([point(1, Number.NaN, 1_001, 3_500)]));
    assert.deepEqual(members.output(NONE, 0).average, null);
  });

  it('join unread, leave with all they had, and ignore points of others', () => {
    const members = membersOf([2, 4]);
    members.fold(packMembers([point(2, 1, 10), point(4, 2, 10), point(3, 50, 10)]));
    members.follow([3, 4], 77);
    assert.deepEqual([members.ids, members.unread], [[3, 4], [3]]);
    members.read([3], new Map([[3, point(3, 7, 20, 25)]]));
    assert.deepEqual(members.points, [point(3, 7, 20, 25), point(4, 2, 10)]);
    members.follow([2, 3, 4], 99);
    members.read([2], new Map());
    assert.deepEqual([members.points[0]?.value, members.points[0]?.receivedMs], [Number.NaN, 99]);
    members.hasChanged = false;
    members.follow([2, 3, 4], 100);
    assert.equal(members.hasChanged, false);
    members.forgetValues();
    assert.deepEqual(members.unread, [2, 3, 4]);
  });

  it('are inactive by the clock, but not in an outage, and not while a point waits', () => {
    const members = membersOf([1, 2]);
    members.fold(packMembers([point(2, 1, 30_000)]));
    const at = (given: Partial<FleetClock>) => {
      const { inactive, nextDueMs } = members.inactivity(clock(given));
      return [inactive, nextDueMs];
    };
    assert.deepEqual(at({ nowMs: 59_999 }), [0, 60_999]);
    assert.deepEqual(at({ nowMs: 40_000 }), [0, 60_000]);
    assert.deepEqual(at({ nowMs: 60_000 }), [1, 90_000]);
    assert.deepEqual(at({ nowMs: 60_000, availableUntilMs: 59_000 }), [0, 61_000]);
    assert.deepEqual(at({ nowMs: 100_000, waiting: new Set([1]) }), [1, 101_000]);
    assert.deepEqual(at({ nowMs: 100_000 }), [2, null]);
    const outages = [{ fromMs: 10_000, toMs: 60_000 }];
    assert.deepEqual(at({ nowMs: 100_000, outages }), [0, 110_000]);
    assert.deepEqual(at({ nowMs: 110_000, outages }), [1, 120_000]);
    assert.deepEqual(at({ nowMs: 120_000, outages }), [2, null]);
    assert.deepEqual(at({ nowMs: 100_000, inactiveAfter: 0 }), [0, null]);
  });

  it('come to the same summary, however their points were divided among passes', () => {
    const change = fc.record({
      sensorId: fc.integer({ min: 1, max: 6 }),
      value: fc.oneof(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.constant(Number.NaN)),
      dateMs: fc.integer({ min: 0, max: 9 }),
      receivedMs: fc.integer({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 40 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (all, sizes) => {
          const ids = [1, 2, 3, 4, 5];
          const [parted, latest] = [membersOf(ids), new Map<number, MemberPoint>()];
          for (let at = 0; at < all.length; ) {
            const size = sizes.next().value ?? 1;
            parted.fold(packMembers(all.slice(at, at + size)));
            at += size;
          }
          for (const each of all)
            if (each.dateMs >= (latest.get(each.sensorId)?.dateMs ?? -1)) latest.set(each.sensorId, each);
          const values = ids.map((id) => latest.get(id)?.value ?? Number.NaN).filter((value) => !Number.isNaN(value));
          const { sum, minimum, count } = parted.output(NONE, 0);
          assert.equal(count, 5);
          assert.equal(
            sum,
            values.reduce((total, value) => total + value, 0),
          );
          assert.equal(minimum, values.length === 0 ? null : Math.min(...values));
        },
      ),
    );
  });
});
