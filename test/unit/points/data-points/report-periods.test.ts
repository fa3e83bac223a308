import assert from 'node:assert/strict';
import { periodsOf } from '../../../../src/points/data-points/report-periods';

const HOUR = 3_600_000;
const BERLIN = 'Europe/Berlin';

const hours = (length: 'day' | 'week' | 'month' | 'range', from: string, to: string, zone = BERLIN) => {
  const range = { startMs: Date.parse(from), endMs: Date.parse(to) };
  const periods = periodsOf(length, zone, range, 100);
  assert.equal(periods[0]?.startMs, range.startMs);
  assert.equal(periods.at(-1)?.endMs, range.endMs);
  periods.slice(1).forEach(({ startMs }, at) => {
    assert.equal(startMs, periods[at]?.endMs);
  });
  return periods.map(({ startMs, endMs }) => (endMs - startMs) / HOUR);
};

describe('the periods of a report', () => {
  it('are local days, which clock changes make shorter or longer', () => {
    assert.deepEqual(hours('day', '2026-03-28T00:00+01:00', '2026-03-31T00:00+02:00'), [24, 23, 24]);
    assert.deepEqual(hours('day', '2026-10-24T00:00+02:00', '2026-10-27T00:00+01:00'), [24, 25, 24]);
    assert.deepEqual(hours('day', '2026-03-28T00:00Z', '2026-03-31T00:00Z', 'UTC'), [24, 24, 24]);
    assert.deepEqual(hours('day', '2026-11-20T00:00+05:30', '2026-11-22T00:00+05:30', 'Asia/Kolkata'), [24, 24]);
  });

  it('are weeks from Monday and months, of which the range may cut the first and the last', () => {
    assert.deepEqual(hours('week', '2026-10-19T00:00+02:00', '2026-11-02T00:00+01:00'), [168 + 1, 168]);
    assert.deepEqual(hours('week', '2026-10-25T12:00+01:00', '2026-10-26T06:00+01:00'), [12, 6]);
    assert.deepEqual(hours('month', '2026-03-01T00:00+01:00', '2026-05-01T00:00+02:00'), [31 * 24 - 1, 30 * 24]);
    assert.deepEqual(hours('month', '2026-03-30T00:30+02:00', '2026-04-01T00:00+02:00'), [47.5]);
    assert.deepEqual(hours('month', '2026-10-31T23:30+01:00', '2026-11-01T01:00+01:00'), [0.5, 1]);
    assert.deepEqual(hours('month', '2028-02-01T00:00Z', '2028-03-01T00:00Z', 'UTC'), [29 * 24]);
  });

  it('are one for a range, and no more than are wanted', () => {
    assert.deepEqual(hours('range', '2026-10-01T00:00Z', '2026-11-01T00:00Z'), [31 * 24]);
    const range = { startMs: 0, endMs: Date.parse('2026-01-01') };
    assert.equal(periodsOf('day', BERLIN, range, 7).length, 7);
    assert.equal(periodsOf('day', BERLIN, { startMs: 5, endMs: 5 }, 7).length, 0);
  });
});
