import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatIsoDate, LAST_DATE_MS, parseIsoDate, unseparatedDate, whyNoDate } from '../../../src/edge/dates';

describe('dates in ISO 8601', () => {
  it('are read with Z or an offset, to the millisecond', () => {
    const ten = Date.UTC(2026, 10, 21, 10);
    const same = ['2026-11-21T10:00:00Z', '2026-11-21t10:00:00.000z', '2026-11-21T10:00Z', '2026-11-21T11:00:00+01:00'];
    for (const text of [...same, '2026-11-21T04:30:00-0530', '2026-11-21T11:00:00 01:00'])
      assert.equal(parseIsoDate(text), ten, text);
    const spelled = [
      ...['2026-11-21 10:00:00Z', '2026-11-21 10:00:00+00:00', ' 2026-11-21 11:00:00+01 ', '2026-11-21 11:00 +0100'],
      ...['20261121T100000Z', '20261121T1000Z', '20261121T110000+01', '20261121 110000.000 +01:00\t'],
      ...['2026-11-21T11:00:00+01', '2026-11-21 05:30:00-0430', '2026-11-21T11:00:00 01', '2026-11-21 10:00:00 Z'],
    ];
    for (const text of spelled) assert.equal(parseIsoDate(text), ten, text);
    assert.equal(parseIsoDate('2026-11-21T10:00:00.1236Z'), ten + 124);
    assert.equal(parseIsoDate('2026-11-21T10:00:00,5Z'), ten + 500);
    assert.equal(parseIsoDate('2024-02-29T00:00:00Z'), Date.UTC(2024, 1, 29));
    assert.equal(parseIsoDate('1969-12-31T23:59:59Z'), -1000);
  });

  it('are nothing without a zone, in another form, or on a day that no calendar has', () => {
    const none = [
      '2026-11-21',
      '2026-11-21T10:00:00',
      '2026-11-21 10:00:00',
      '20261121T100000',
      '20261121100000Z',
      '2026-11-21T100000Z',
      '20261121T10:00:00Z',
      '2026-11-21  10:00:00Z',
      '2026-11-21T10Z',
      '2026-02-29T00:00:00Z',
    ];
    const wrong = [
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-11-21T24:00:00Z',
      '2026-11-21T10:60:00Z',
      '2026-11-21T10:00:60Z',
    ];
    for (const text of [...none, ...wrong, '2026-11-21T10:00:00+24:00', '2026-11-21T10:00:00+1', '', 'now']) {
      assert.equal(parseIsoDate(text), null, text);
    }
  });

  it('are refused with what is missing', () => {
    for (const text of ['2026-11-21T10:00:00', ' 2026-11-21 10:00', '20261121T100000'])
      assert.match(whyNoDate(text), /has no time zone/, text);
    for (const text of ['2026-11-21', '21.11.2026 10:00', '', '2026-13-01T00:00:00'])
      assert.match(whyNoDate(text), / offset$/, text);
  });

  it('are read as they are written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LAST_DATE_MS }), (ms) => {
        assert.equal(parseIsoDate(formatIsoDate(ms)), ms);
      }),
    );
  });
});

describe('dates without separators', () => {
  it('are those digits that spell a day, or a day and a time, from 1970 to 2099', () => {
    for (const [given, iso] of [
      [20_240_101, '2024-01-01T00:00:00Z'],
      [' 20240229 ', '2024-02-29T00:00:00Z'],
      [202_601_011_000, '2026-01-01T10:00:00Z'],
      ['20260101235959', '2026-01-01T23:59:59Z'],
      [2_024_010_100, '2024-01-01T00:00:00Z'],
      ['2026112510', '2026-11-25T10:00:00Z'],
      ['19700101', '1970-01-01T00:00:00Z'],
      ['20991231', '2099-12-31T00:00:00Z'],
    ] as const) {
      assert.equal(unseparatedDate(given), iso);
    }
    const digits = ['19691231', '21000101', '20230229', '20241301', '20240100', '202401012400', '202401011060'];
    for (const given of [
      ...digits,
      '2024010124',
      '2024133100',
      '2024010',
      '+20240101',
      '20240101.5',
      '2.0240101e7',
      '',
      'now',
    ]) {
      assert.equal(unseparatedDate(given), undefined, given);
    }
  });

  it('are each real minute of that time, and no other number of 8 or 12 digits; each hour by 10 digits, years ahead', () => {
    const [first, last] = [Date.UTC(1970, 0, 1), Date.UTC(2099, 11, 31, 23, 59)];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: (last - first) / 60_000 }), (minutes) => {
        const iso = formatIsoDate(first + minutes * 60_000);
        const digits = iso.slice(0, 16).replace(/\D/g, '');
        assert.equal(unseparatedDate(digits), `${iso.slice(0, 16)}:00Z`);
        assert.equal(unseparatedDate(Number(digits)), unseparatedDate(digits));
        assert.equal(unseparatedDate(Number(digits.slice(0, 8))), `${iso.slice(0, 10)}T00:00:00Z`);
        const hour = Number(digits.slice(0, 10));
        assert.equal(unseparatedDate(hour), `${iso.slice(0, 13)}:00:00Z`);
        assert.equal(unseparatedDate(hour, hour * 1_000), undefined, 'seconds, once their time has come');
      }),
    );
    const ofDigits = (count: number) => fc.integer({ min: 10 ** (count - 1), max: 10 ** count - 1 });
    fc.assert(
      fc.property(fc.oneof(ofDigits(8), ofDigits(12)), (number) => {
        const iso = unseparatedDate(number);
        if (iso === undefined) return;
        const ms = parseIsoDate(iso) ?? Number.NaN;
        assert.ok(ms >= first && ms <= last);
        assert.ok(formatIsoDate(ms).replace(/\D/g, '').startsWith(String(number)), 'it is a day of the calendar');
      }),
    );
  });

  it('are no seconds of our time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LAST_DATE_MS }), (ms) => {
        const isOfOurTime = ms >= Date.UTC(1971, 0, 1) && ms < Date.UTC(8000, 0, 1);
        if (isOfOurTime) assert.equal(unseparatedDate(Math.floor(ms / 1000), ms), undefined);
      }),
    );
  });
});
