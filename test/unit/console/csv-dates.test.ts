import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readTable } from '../../../console/src/csv/records';
import type { Choices } from '../../../console/src/csv/types';
import { understand } from '../../../console/src/csv/understand';
import { clockIn, zoneIn } from '../../../console/src/csv/zones';

const NOW_MS = Date.UTC(2026, 10, 25, 12);

/** What these cells become in a column of dates: ISO 8601, in the order of the file. */
function datesOf(cells: readonly string[], choices: Choices = {}, zone = 'UTC') {
  const text = cells.map((cell, at) => `"${cell}";${at}`).join('\n');
  const { understanding, points } = understand(readTable(`date;value\n${text}`), choices, { zone, nowMs: NOW_MS });
  const inOrder = [...points].sort((a, b) => Number(a.plain) - Number(b.plain));
  return {
    ...understanding,
    dates: inOrder.map(({ ms }) => new Date(ms).toISOString().replace(/:00\.000Z$|\.000Z$/, '')),
  };
}

describe('dates in a file', () => {
  const table: readonly (readonly [cell: string, date: string])[] = [
    ['2026-11-20T10:00:05.250Z', '2026-11-20T10:00:05.250Z'],
    ['2026-11-20 10:00', '2026-11-20T10:00'],
    ['2026-11-20T10:00:00,123456', '2026-11-20T10:00:00.123Z'],
    ['2026-11-20', '2026-11-20T00:00'],
    ['20261120T100000Z', '2026-11-20T10:00'],
    ['2026-11-20 24:00', '2026-11-21T00:00'],
    ['2017-05-15 20:03:48 UTC', '2017-05-15T20:03:48'],
    ['2017-05-15 20:03:48 +0100', '2017-05-15T19:03:48'],
    ['2017-05-15 20:03:48 -03:30', '2017-05-15T23:33:48'],
    ['2017-05-15 20:03:48 CET', '2017-05-15T19:03:48'],
    ['31.12.2024 14:30', '2024-12-31T14:30'],
    ['31.12.2024, 14:30', '2024-12-31T14:30'],
    ['1.2.2024', '2024-02-01T00:00'],
    ['2024/01/01 00:05', '2024-01-01T00:05'],
    ['25/12/2022   15:30', '2022-12-25T15:30'],
    ['12/25/2022 12:05 AM', '2022-12-25T00:05'],
    ['12/25/22 12:05:09 p.m.', '2022-12-25T12:05:09'],
    ['20240131', '2024-01-31T00:00'],
    ['2024013105', '2024-01-31T05:00'],
    ['202401310510', '2024-01-31T05:10'],
    ['20240131051015', '2024-01-31T05:10:15'],
    ['1795000000', '2026-11-18T11:06:40'],
    ['1795000000.5', '2026-11-18T11:06:40.500Z'],
    ['1795000000123', '2026-11-18T11:06:40.123Z'],
    ['1795000000123456', '2026-11-18T11:06:40.123Z'],
    ['1795000000123456789', '2026-11-18T11:06:40.123Z'],
    ['999999999', '2001-09-09T01:46:39'],
    ['999999999999', '2001-09-09T01:46:39.999Z'],
  ];
  for (const [cell, date] of table) {
    it(`are read: ${cell}`, () => assert.deepEqual(datesOf([cell]).dates, [date]));
  }

  for (const cell of [
    '2026-02-30 10:00',
    '30.02.2026',
    '2026-11-20 25:00',
    '2026-11-20 10:60',
    '2026-11-20 13:00 PM',
    '2026-11-20 10:00 XYZ',
    '2026-11-20 10:00 +99:00',
    '20260230',
  ]) {
    it(`are mistakes: ${cell}`, () => {
      const { leftOut, dates } = datesOf(['2026-11-19', cell, '2026-11-21']);
      assert.deepEqual(dates, ['2026-11-19T00:00', '2026-11-21T00:00']);
      assert.deepEqual(leftOut, [
        { reason: 'date', count: 1, examples: [{ line: 3, text: `“${cell}” is not a date` }] },
      ]);
    });
  }

  it('of digits stay a column of their own kind: one day that no calendar has is no number of seconds', () => {
    const { dates, leftOut } = datesOf(['202402280010', '202402300010', '202403010010']);
    assert.deepEqual([dates, leftOut.map(({ count }) => count)], [['2024-02-28T00:10', '2024-03-01T00:10'], [1]]);
  });

  it('say by one of them whether the day or the month is first', () => {
    assert.deepEqual(datesOf(['02/03/2022', '25/03/2022']).dates, ['2022-03-02T00:00', '2022-03-25T00:00']);
    assert.deepEqual(datesOf(['02/03/2022', '02/25/2022']).dates, ['2022-02-03T00:00', '2022-02-25T00:00']);
    assert.equal(datesOf(['05/05/2022', '2022-07-08']).order, undefined);
  });

  it('ask where none of them says it, and store nothing before', () => {
    const cells = ['02/08/2022   15:30', '03/08/2022 15:30'];
    const { order, points, leftOut } = datesOf(cells);
    assert.deepEqual([order, points, leftOut], [{ example: cells[0], chosen: undefined }, 0, []]);
    assert.deepEqual(datesOf(cells, { order: 'day' }).dates, ['2022-08-02T15:30', '2022-08-03T15:30']);
    assert.deepEqual(datesOf(cells, { order: 'month' }).dates, ['2022-02-08T15:30', '2022-03-08T15:30']);
  });

  it('without an offset are in the zone of the browser, or in the one that a person chooses, midnights as well', () => {
    const cells = ['2026-07-20', '2026-07-20 00:30', '2026-11-20T00:00Z'];
    assert.deepEqual(datesOf(cells, {}, 'Europe/Amsterdam').dates, [
      '2026-07-19T22:00',
      '2026-07-19T22:30',
      '2026-11-20T00:00',
    ]);
    assert.deepEqual(datesOf(cells, { zone: 'UTC' }, 'Europe/Amsterdam').dates[0], '2026-07-20T00:00');
    assert.deepEqual(datesOf(cells, { zone: '-05:00' }, 'Europe/Amsterdam').dates[0], '2026-07-20T05:00');
    assert.equal(datesOf(['2026-11-20T00:00Z', '1795000000']).usesZone, false);
  });

  it('that no clock shows are left out, by the line and the time; those shown twice are the first of both', () => {
    const cells = ['2026-03-29 01:59', '2026-03-29 02:30', '29.03.2026 02:45', '2026-03-29 03:00', '2026-10-25 02:30'];
    const { dates, leftOut, twice } = datesOf(cells, {}, 'Europe/Berlin');
    assert.deepEqual(dates, ['2026-03-29T00:59', '2026-03-29T01:00', '2026-10-25T00:30']);
    const examples = [
      { line: 3, text: '2026-03-29 02:30' },
      { line: 4, text: '29.03.2026 02:45' },
    ];
    assert.deepEqual(leftOut, [{ reason: 'never', count: 2, examples }]);
    assert.deepEqual(twice, { lines: 1, examples: [6] });
    const elsewhere = datesOf(cells, { zone: 'UTC' }, 'Europe/Berlin');
    assert.deepEqual([elsewhere.dates.length, elsewhere.leftOut, elsewhere.twice.lines], [5, [], 0]);
    assert.deepEqual(datesOf(['2026-03-29T02:30+01:00'], {}, 'Europe/Berlin').leftOut, []);
  });

  it('that are days begin with their first moment where no clock shows midnight', () => {
    const { dates, leftOut } = datesOf(['2026-09-05', '2026-09-06', '2026-09-07'], {}, 'America/Santiago');
    assert.deepEqual(dates, ['2026-09-05T04:00', '2026-09-06T04:00', '2026-09-07T03:00']);
    assert.deepEqual(leftOut, []);
    const { leftOut: midnight } = datesOf(['2026-09-05 00:00', '2026-09-06 00:00'], {}, 'America/Santiago');
    assert.deepEqual(
      midnight.map(({ reason, count }) => [reason, count]),
      [['never', 1]],
    );
  });

  it('are those of any moment, in whichever way it is written', () => {
    const two = (number: number) => String(number).padStart(2, '0');
    const moments = fc.date({ min: new Date('1971-01-01'), max: new Date(NOW_MS), noInvalidDate: true });
    fc.assert(
      fc.property(fc.array(moments, { minLength: 1, maxLength: 5 }), fc.integer({ min: 0, max: 5 }), (some, way) => {
        const whole = some.map((date) => new Date(Math.floor(date.getTime() / 60_000) * 60_000));
        const cells = whole.map((date) => {
          const iso = date.toISOString();
          const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
          const time = iso.slice(11, 16);
          return [
            iso,
            `${day}.${month}.${year} ${time}`,
            `${year}/${two(month)}/${two(day)} ${time}`,
            `${year}${two(month)}${two(day)}${time.replace(':', '')}`,
            String(date.getTime() + 1e12).length === 13 && date.getTime() >= 1e12 ? String(date.getTime()) : iso,
            `${iso.slice(0, 16)}+00`,
          ][way];
        });
        const expected = whole.map((date) => date.toISOString().replace(/:00\.000Z$/, ''));
        // Lines of one date are kept apart, which is tested elsewhere.
        fc.pre(new Set(expected).size === expected.length);
        assert.deepEqual(datesOf(cells.map(String)).dates, expected);
      }),
    );
  });
});

describe('clocks of time zones', () => {
  it('show what was asked for, whatever the zone and the day, but in hours that are left out', () => {
    const zones = fc.constantFrom(
      'Europe/Amsterdam',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'UTC',
    );
    const walls = fc.integer({ min: 0, max: NOW_MS / 60_000 }).map((minutes) => minutes * 60_000);
    fc.assert(
      fc.property(zones, walls, (zone, wallMs) => {
        const moment = clockIn(zone)(wallMs);
        const shown = shownIn(zone, moment.ms);
        const isLeftOut = shown - wallMs > 0 && shown - wallMs <= 3_600_000;
        const text = `${zone} ${new Date(wallMs).toISOString()}`;
        assert.ok(moment.shown === 'never' ? isLeftOut : shown === wallMs, text);
        const isAgain = [30, 60].some((minutes) => shownIn(zone, moment.ms + minutes * 60_000) === wallMs);
        assert.equal(moment.shown === 'twice', isAgain, text);
      }),
      { numRuns: 300 },
    );
  });

  const changes: readonly (readonly [zone: string, wall: string, ms: string, shown: string])[] = [
    ['Europe/Amsterdam', '2026-10-25T01:59:59', '2026-10-24T23:59:59', 'once'],
    ['Europe/Amsterdam', '2026-10-25T02:00:00', '2026-10-25T00:00:00', 'twice'],
    ['Europe/Amsterdam', '2026-10-25T02:59:59', '2026-10-25T00:59:59', 'twice'],
    ['Europe/Amsterdam', '2026-10-25T03:00:00', '2026-10-25T02:00:00', 'once'],
    ['Europe/Amsterdam', '2026-03-29T01:59:59', '2026-03-29T00:59:59', 'once'],
    ['Europe/Amsterdam', '2026-03-29T02:00:00', '2026-03-29T01:00:00', 'never'],
    ['Europe/Amsterdam', '2026-03-29T02:59:59', '2026-03-29T01:59:59', 'never'],
    ['Europe/Amsterdam', '2026-03-29T03:00:00', '2026-03-29T01:00:00', 'once'],
    ['America/New_York', '2026-03-08T02:30:00', '2026-03-08T07:30:00', 'never'],
    ['America/New_York', '2026-11-01T01:30:00', '2026-11-01T05:30:00', 'twice'],
    ['Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:45:00', 'never'],
    ['Australia/Lord_Howe', '2026-04-05T01:45:00', '2026-04-04T14:45:00', 'twice'],
    ['+01:00', '2026-03-29T02:30:00', '2026-03-29T01:30:00', 'once'],
    ['UTC', '2026-03-29T02:30:00', '2026-03-29T02:30:00', 'once'],
  ];
  for (const [zone, wall, ms, shown] of changes) {
    it(`show ${wall} ${shown} in ${zone}`, () => {
      const { secondMs, ...moment } = clockIn(zone)(Date.parse(`${wall}Z`));
      assert.deepEqual(moment, { ms: Date.parse(`${ms}Z`), shown });
      assert.equal(secondMs !== undefined, shown === 'twice');
    });
  }

  for (const [text, zone] of [
    ['Timezone : Europe/Amsterdam', 'Europe/Amsterdam'],
    ['Date Time, GMT-05:00', '-05:00'],
    ['time_utc', 'UTC'],
    ['Date (UTC)', 'UTC'],
    ['UTC+1', '+01:00'],
    ['Wind/Gust', undefined],
    ['Temperature', undefined],
  ] as const) {
    it(`are found in a text: ${text}`, () => assert.equal(zoneIn(text), zone));
  }
});

/** What clocks of a zone show, in milliseconds as if it were UTC. */
function shownIn(timeZone: string, ms: number): number {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(ms);
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}
