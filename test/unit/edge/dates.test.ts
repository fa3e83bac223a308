import assert from 'node:assert/strict';
import { readDate, readPointDate } from '../../../src/edge/dates';
import { InvalidInput } from '../../../src/platform/errors';

describe('dates of requests', () => {
  const refuses = (read: () => number, why: RegExp) =>
    assert.throws(read, (error) => error instanceof InvalidInput && why.test(error.fields?.start_date ?? ''));

  it('are unix seconds, rounded to the millisecond', () => {
    assert.equal(readDate(1_795_229_544.1254, 'start_date'), 1_795_229_544_125);
    assert.equal(readDate(-1, 'start_date'), -1_000);
    assert.ok(Object.is(readDate(-0.0001, 'start_date'), 0));
  });

  it('are refused when they are no number, or too large for milliseconds', () => {
    for (const seconds of ['1', null, undefined, true, Number.NaN, Number.POSITIVE_INFINITY, 1e14]) {
      refuses(() => readDate(seconds, 'start_date'), /must be a time in unix seconds/);
    }
  });

  it('of data points are from 1970 to the year 9999', () => {
    assert.equal(readPointDate(0, 'start_date'), 0);
    assert.equal(readPointDate(253_402_300_799.999, 'start_date'), 253_402_300_799_999);
    refuses(() => readPointDate(-1, 'start_date'), /must not be before 1970/);
    refuses(() => readPointDate(253_402_300_800, 'start_date'), /must not be after the year 9999/);
  });
});
