import assert from 'node:assert/strict';
import fc from 'fast-check';
import { boundAbove } from '../../../console/src/pages/trigger/bound';

const DAY = 86_400;
const STEP = 600;
const DAYS = 31;

/** A point every ten minutes of a month. `valueAt` gets the day and the hour of the day. */
function month(valueAt: (day: number, hour: number) => number) {
  const dates = Array.from({ length: (DAYS * DAY) / STEP }, (_, at) => at * STEP);
  return { dates, values: dates.map((date) => valueAt(Math.floor(date / DAY), (date % DAY) / 3_600)) };
}

/** How often the values rise above a bound. */
function firingsOf(values: readonly number[], bound: number): number {
  return values.filter((value, at) => value > bound && !((values[at - 1] ?? bound) > bound)).length;
}

/** A freezer whose door is opened a few times a day, each time for a different while. */
const freezer = (day: number, hour: number) => {
  const isOpen = [7, 12, 13, 18, 21].includes(Math.floor(hour)) && hour % 1 < 0.3;
  return -18 + Math.sin(hour * 5) + (isOpen ? 4 + ((day * 7 + hour * 13) % 6) : 0);
};
const sunny = (day: number, hour: number) => 16 + Math.max(0, Math.sin(((hour - 7) / 13) * Math.PI)) * (6 + (day % 3));

describe('the bound that a new rule begins with', () => {
  it('does not fire when the door of a freezer is opened', () => {
    const { dates, values } = month(freezer);
    const bound = boundAbove({ dates, values }) ?? Number.NaN;
    assert.equal(firingsOf(values, bound), 0);
    assert.ok(bound > -10 && bound < 0, String(bound));
  });

  it('does not fire on the course of a day, and is not far above it', () => {
    const { dates, values } = month(sunny);
    assert.equal(boundAbove({ dates, values }), 26);
  });

  it('fires on the day of a fault, and on wrong readings', () => {
    const fault = month((day, hour) => (day === 20 && hour > 14 ? 3 : freezer(day, hour)));
    const bound = boundAbove(fault) ?? Number.NaN;
    assert.equal(firingsOf(fault.values, bound), 1);
    const wrong = { ...fault, values: fault.values.map((value, at) => [85, -127][at - 700] ?? value) };
    assert.equal(boundAbove(wrong), bound);
  });

  it('reads the extremes of intervals, not their means', () => {
    const { dates, values } = month(freezer);
    const halved = dates.filter((_, at) => at % 3 === 0);
    const partAt = (date: number) => values.slice(date / STEP, date / STEP + 3);
    const means = halved.map((date) => partAt(date).reduce((sum, value) => sum + value, 0) / 3);
    const low = halved.map((date) => Math.min(...partAt(date)));
    const high = halved.map((date) => Math.max(...partAt(date)));
    assert.equal(boundAbove({ dates: halved, values: means, low, high }), boundAbove({ dates, values }));
  });

  it('is zero for what is zero on most days', () => {
    assert.equal(boundAbove(month((day, hour) => (day % 15 === 1 ? hour / 10 : 0))), 0);
  });

  it('is missing where nothing is out of the ordinary: a constant, a switch, few points', () => {
    assert.equal(boundAbove(month(() => 21)), undefined);
    assert.equal(boundAbove(month((_, hour) => Number(hour > 12))), undefined);
    assert.equal(boundAbove({ dates: [1, 2], values: [20, 21] }), undefined);
    assert.equal(boundAbove({ dates: [], values: [] }), undefined);
    assert.equal(boundAbove({ dates: [1, 2, 3], values: [20, 21, 22] }), 22.5);
  });

  it('lies above nine in ten days of any data, and less than their range away', () => {
    const number = fc.integer({ min: -5_000, max: 5_000 }).map((tenths) => tenths / 10);
    const points = fc.array(fc.record({ day: fc.nat({ max: 60 }), value: number }), { minLength: 3, maxLength: 200 });
    fc.assert(
      fc.property(points, (all) => {
        const values = all.map(({ value }) => value);
        const bound = boundAbove({ dates: all.map(({ day }) => day * DAY), values });
        if (bound === undefined) return assert.ok(new Set(values).size < 3);
        const days = new Set(all.map(({ day }) => day)).size;
        const above = new Set(all.filter(({ value }) => value > bound).map(({ day }) => day)).size;
        assert.ok(above <= days / 10, `${above} of ${days} days are above ${bound}`);
        const [low, high] = [Math.min(...values), Math.max(...values)];
        assert.ok(bound <= high + (high - low) / 2, `${bound} is far above ${high}`);
      }),
    );
  });
});
