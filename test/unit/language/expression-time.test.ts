import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Variables } from '../../../src/language/compiled-expression';
import { compileExpression } from '../../../src/language/expression';
import { TIME_FUNCTIONS, timeAt } from '../../../src/language/expression-time';
import { localTimeIn } from '../../../src/language/local-time';

function run(text: string, variables: Variables) {
  const compiled = compileExpression(text);
  return compiled.ok ? compiled.expression.evaluate(variables) : assert.fail(`${text}: ${compiled.error}`);
}

describe('the time functions of an expression read the date of the point', () => {
  const WINTER = Date.parse('2026-11-26T23:05:59.999Z') / 1000;
  const cases: [text: string, timezone: string | undefined, expected: number[]][] = [
    ['UTC by default', undefined, [23, 5, 4, 26, 11]],
    ['UTC', 'UTC', [23, 5, 4, 26, 11]],
    ['Europe/Amsterdam', 'Europe/Amsterdam', [0, 5, 5, 27, 11]],
    ['Asia/Kathmandu', 'Asia/Kathmandu', [4, 50, 5, 27, 11]],
    ['Pacific/Auckland', 'Pacific/Auckland', [12, 5, 5, 27, 11]],
    ['America/New_York', 'America/New_York', [18, 5, 4, 26, 11]],
  ];
  for (const [what, timezone, expected] of cases) {
    it(`in ${what}`, () => {
      const functions = ['hour()', 'minute()', 'day_of_week()', 'day_of_month( )', 'month()'];
      const text = functions.map((name, index) => `${name} == ${expected[index]}`).join(' and ');
      assert.deepEqual(run(text, { sensor_data_date: WINTER, timezone }), { ok: true, value: true });
    });
  }
});

describe('the local time of a moment', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

  /** The same in the plainest way: by a new format for each question. */
  function naive(timeZone: string, seconds: number): number[] {
    const fields = { month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', weekday: 'short' } as const;
    const format = new Intl.DateTimeFormat('en-US', { timeZone, ...fields, hourCycle: 'h23' });
    const parts = Object.fromEntries(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
    const { hour, minute, weekday = '', day, month } = parts;
    return [Number(hour), Number(minute), days.indexOf(weekday), Number(day), Number(month)];
  }
  const cached = (zone: string, seconds: number) => TIME_FUNCTIONS.map((name) => timeAt(name, seconds, zone));

  it('is that of its time zone, in any order of dates', () => {
    const date = fc.oneof(
      fc.integer({ min: 0, max: 4_102_444_800_000 }),
      fc.integer({ min: 1_774_650_000_000, max: 1_774_850_000_000 }), // around a change of clocks in Europe
    );
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.array(date, { maxLength: 20 }), (zone, dates) => {
        for (const ms of dates) assert.deepEqual(cached(zone, ms / 1000), naive(zone, ms / 1000), `${zone} ${ms}`);
      }),
    );
  });

  it('is right before and after each change of clocks, to the second', () => {
    const changes: [zone: string, date: string][] = [
      ['Europe/Amsterdam', '2026-03-29T01:00:00Z'],
      ['Europe/Amsterdam', '2026-10-25T01:00:00Z'],
      ['America/New_York', '2026-11-01T06:00:00Z'],
      ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
      ['Pacific/Apia', '2011-12-30T10:00:00Z'],
      ['Africa/Monrovia', '1972-01-07T00:44:30Z'],
      ['Africa/Casablanca', '2026-02-15T02:00:00Z'],
    ];
    for (const [zone, date] of changes) {
      const at = Date.parse(date) / 1000;
      for (const seconds of [-86_400, -3_600, -60, -1, -0.001, 0, 1, 59, 60, 3_600, 86_400]) {
        assert.deepEqual(cached(zone, at + seconds), naive(zone, at + seconds), `${zone} ${date} ${seconds}`);
      }
      assert.notDeepEqual(cached(zone, at - 1), cached(zone, at), zone);
    }
  });

  it('is UTC where the zone is not known', () => {
    const time = { day: 4, time: '23:05' };
    assert.deepEqual(localTimeIn('Mars/Olympus', Date.parse('2026-11-26T23:05:59.999Z')), time);
  });
});
