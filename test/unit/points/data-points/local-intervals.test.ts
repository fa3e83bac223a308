import assert from 'node:assert/strict';
import { intervalAt, utcIntervals } from '../../../../src/edge/intervals';
import { localIntervals } from '../../../../src/points/data-points/local-intervals';

const HOUR = 3_600_000;
const at = (timezone: string, interval: 86_400 | 604_800, date: string) => {
  const { startMs, endMs } = intervalAt(localIntervals(interval, timezone), Date.parse(date));
  return [new Date(startMs).toISOString().slice(0, 16), (endMs - startMs) / HOUR];
};

describe('days and weeks of a time zone', () => {
  const days: [what: string, timezone: string, date: string, start: string, hours: number][] = [
    ['a usual day', 'Europe/Amsterdam', '2026-11-21T22:59:59Z', '2026-11-20T23:00', 24],
    ['a day of 23 hours', 'Europe/Amsterdam', '2026-03-29T12:00:00Z', '2026-03-28T23:00', 23],
    ['a day of 25 hours', 'Europe/Amsterdam', '2026-10-25T22:59:59Z', '2026-10-24T22:00', 25],
    ['the day after it', 'Europe/Amsterdam', '2026-10-25T23:00:00Z', '2026-10-25T23:00', 24],
    ['a day without midnight', 'America/Havana', '2026-03-08T12:00:00Z', '2026-03-08T05:00', 23],
    ['a day that has midnight twice', 'America/Havana', '2026-11-01T04:30:00Z', '2026-11-01T04:00', 25],
    ['a day of half an hour more', 'Australia/Lord_Howe', '2026-04-05T00:00:00Z', '2026-04-04T13:00', 24.5],
    ['the day before one that never was', 'Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29T10:00', 24],
    ['the day after it', 'Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-30T10:00', 24],
    ['the first day', 'Asia/Kolkata', '1970-01-01T00:00:00Z', '1969-12-31T18:30', 24],
    ['a day after all known changes', 'Europe/Amsterdam', '2345-07-01T12:00:00Z', '2345-06-30T23:00', 24],
  ];
  for (const [what, timezone, date, start, hours] of days) {
    it(`have ${what} in ${timezone}`, () => assert.deepEqual(at(timezone, 86_400, date), [start, hours]));
  }

  it('begin weeks on Mondays', () => {
    assert.deepEqual(at('Europe/Amsterdam', 604_800, '2026-10-25T22:30:00Z'), ['2026-10-18T22:00', 169]);
    assert.deepEqual(at('Pacific/Apia', 604_800, '2011-12-31T00:00:00Z'), ['2011-12-26T10:00', 144]);
  });

  it('follow each other without gaps', () => {
    for (const timezone of [
      'America/St_Johns',
      'Africa/Casablanca',
      'Asia/Beirut',
      'Africa/Monrovia',
      'Pacific/Apia',
    ]) {
      for (const interval of [86_400, 604_800] as const) {
        const pieces = localIntervals(interval, timezone);
        pieces.slice(1).forEach(({ fromMs }, index) => {
          const before = pieces[index];
          assert.ok(before && fromMs > before.fromMs, timezone);
          assert.equal((fromMs - before.fromMs) % before.lengthMs, 0, timezone);
        });
      }
    }
  });

  it('are those of UTC where nothing else is wanted, and shorter intervals always', () => {
    assert.deepEqual(localIntervals(86_400, 'UTC'), utcIntervals(86_400));
    assert.deepEqual(localIntervals(604_800, 'Etc/UTC'), utcIntervals(604_800));
    assert.deepEqual(localIntervals(3_600, 'Asia/Kolkata'), utcIntervals(3_600));
  });
});
