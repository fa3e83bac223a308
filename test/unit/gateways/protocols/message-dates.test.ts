import assert from 'node:assert/strict';
import { readDateUtc } from '../../../../src/gateways/protocols/message-dates';
import { UnreadableMessage } from '../../../../src/gateways/protocols/unreadable';

describe('the dateutc of a weather station', () => {
  const expected = Date.UTC(2026, 0, 8, 1, 2, 3);
  for (const text of [
    ...['2026-01-08 01:02:03', '2026-1-8 1:2:3', '2026-1-8+1:2:3', '2026/01/08 01:02:03', '2026/1/8 1:2:3'],
    ...['2026-01-08T01:02:03', '2026-01-08T01:02:03Z', '2026-01-08 01:02:03 UTC', '2026-1-8 1:2:3 utc'],
    ...['2026-01-08 02:02:03+01:00', ' 2026-01-08 01:02:03 ', '1767834123', '1767834123000'],
  ]) {
    it(`is read as ${text}`, () => assert.equal(readDateUtc(text), expected));
  }

  it('may have no seconds, or fractions of them', () => {
    assert.equal(readDateUtc('2026-1-8 1:2'), Date.UTC(2026, 0, 8, 1, 2));
    assert.equal(readDateUtc('2026-1-8 1:2:3.25'), expected + 250);
  });

  for (const text of ['now', 'NOW', ' Now ', '', undefined]) {
    it(`leaves the date to the server: ${text}`, () => assert.equal(readDateUtc(text), undefined));
  }

  for (const text of ['1970-01-01 00:00:00', '2000-01-01 00:00:00', '2000-1-1 0:0:12', '946684800']) {
    it(`leaves the date to the server for a clock that was never set: ${text}`, () => {
      assert.equal(readDateUtc(text), undefined);
    });
  }

  for (const text of [
    '2026-13-08 01:02:03',
    '2026-02-30 01:02:03',
    '2026-1-8 24:00:00',
    '8.1.2026 1:2:3',
    'x',
    '2026-1/8 1:2',
  ]) {
    it(`is refused as ${text}`, () => assert.throws(() => readDateUtc(text), UnreadableMessage));
  }
});
