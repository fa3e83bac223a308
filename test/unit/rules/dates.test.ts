import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatIsoDate, LAST_DATE_MS, parseIsoDate, whyNoDate } from '../../../src/rules/dates';

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
