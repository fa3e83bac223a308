import assert from 'node:assert/strict';
import { DateBudget, DistinctDates } from '../../../client/src/cli/import/distinct-dates';
import { DateReader } from '../../../client/src/cli/import/local-dates';

describe('the dates of a series that is imported', () => {
  const counted = (dates: readonly number[], budget = new DateBudget()) => {
    const distinct = new DistinctDates(budget);
    for (const date of dates) distinct.add(date);
    return { count: distinct.count(), atLeast: distinct.atLeast(), left: budget.left };
  };

  it('are counted exactly in any order', () => {
    assert.equal(counted([]).count, 0);
    assert.equal(counted([1, 2, 2, 3]).count, 3);
    assert.equal(counted([3, 1, 2, 1, 3, 3]).count, 3);
    const many = Array.from({ length: 10_000 }, (_, i) => (i * 7_919) % 5_000);
    assert.equal(counted(many).count, 5_000);
  });

  it('are counted without a bound in order, and not beyond the budget otherwise', () => {
    assert.deepEqual(counted([1, 2, 3, 4, 4], new DateBudget(2)), { count: 4, atLeast: 4, left: 2 });
    assert.deepEqual(counted([1, 2, 3, 2], new DateBudget(2)), { count: undefined, atLeast: 3, left: 2 });
  });

  it('are read in the zone that is given, also where clocks change', () => {
    const berlin = new DateReader('Europe/Berlin');
    const read = (text: string) => {
      const ms = berlin.read(text);
      return typeof ms === 'number' ? new Date(ms).toISOString() : ms;
    };
    assert.equal(read('2026-07-01 12:00'), '2026-07-01T10:00:00.000Z');
    assert.equal(read('2026-03-29 02:30:00'), '2026-03-29T01:30:00.000Z');
    assert.equal(read('2026-10-25 02:30:00'), '2026-10-25T00:30:00.000Z');
    assert.equal(read('2026-10-25 03:00:00'), '2026-10-25T02:00:00.000Z');
    assert.equal(read('2026-01-01T00:00:00.1239+05:30'), '2025-12-31T18:30:00.123Z');
    assert.equal(read('2026-01-01'), '2025-12-31T23:00:00.000Z');
    for (const [text, iso] of [
      ['1700000000', '2023-11-14T22:13:20.000Z'],
      ['1700000000.5', '2023-11-14T22:13:20.500Z'],
      ['1700000000123', '2023-11-14T22:13:20.123Z'],
      ['1700000000123456', '2023-11-14T22:13:20.123Z'],
      ['1700000000123456789', '2023-11-14T22:13:20.123Z'],
    ] as const) {
      assert.equal(read(text), iso);
    }
    assert.equal(read('2026-02-30'), 'does not exist');
    assert.match(String(read('11/12/2026')), /^is neither ISO 8601/);
    assert.throws(() => new DateReader('Mars/Olympus'), RangeError);
  });
});
