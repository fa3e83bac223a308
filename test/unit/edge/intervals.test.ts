import assert from 'node:assert/strict';
import fc from 'fast-check';
import { calendarParts, INTERVALS, intervalStart, parseInterval } from '../../../src/edge/intervals';

const ms = (iso: string) => Date.parse(iso);

describe('intervals', () => {
  const starts: [string, (typeof INTERVALS)[number], string][] = [
    ['2026-11-21T06:29:19.292Z', 60, '2026-11-21T06:29:00Z'],
    ['2026-11-21T06:29:19.292Z', 300, '2026-11-21T06:25:00Z'],
    ['2026-11-21T06:29:19.292Z', 1800, '2026-11-21T06:00:00Z'],
    ['2026-11-21T06:29:19.292Z', 3600, '2026-11-21T06:00:00Z'],
    ['2026-11-21T06:29:19.292Z', 86_400, '2026-11-21T00:00:00Z'],
    ['2026-11-22T23:59:59.999Z', 604_800, '2026-11-16T00:00:00Z'],
    ['2026-11-23T00:00:00.000Z', 604_800, '2026-11-23T00:00:00Z'],
    ['1969-12-31T23:59:59.999Z', 604_800, '1969-12-29T00:00:00Z'],
  ];
  for (const [date, interval, start] of starts) {
    it(`of ${interval} s with ${date} begin at ${start}`, () => {
      assert.equal(intervalStart(ms(date), interval), ms(start));
    });
  }

  it('contain each date, and begin at their own start', () => {
    fc.assert(
      fc.property(fc.integer({ min: -4e12, max: 4e12 }), fc.constantFrom(...INTERVALS), (date, interval) => {
        const start = intervalStart(date, interval);
        assert.ok(start <= date && date < start + interval * 1000);
        assert.equal(intervalStart(start, interval), start);
      }),
    );
  });

  it('are a fixed set, with the day also as old clients mistype it', () => {
    assert.equal(parseInterval(300), 300);
    assert.equal(parseInterval(301), null);
    assert.equal(parseInterval(86_500), 86_400);
  });
});

describe('calendarParts', () => {
  const cases: [string, number, number, number][] = [
    ['2021-01-01T00:00:00Z', 53, 1, 2021],
    ['2021-01-04T00:00:00Z', 1, 1, 2021],
    ['2024-12-30T12:00:00Z', 1, 12, 2024],
    ['2026-12-31T23:59:59Z', 53, 12, 2026],
    ['2026-11-21T06:00:00Z', 47, 11, 2026],
    ['1970-01-01T00:00:00Z', 1, 1, 1970],
  ];
  for (const [date, week, month, year] of cases) {
    it(`finds week ${week} of ${date}`, () => assert.deepEqual(calendarParts(ms(date)), { week, month, year }));
  }
});
