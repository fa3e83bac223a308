import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exactJson, isLong, LongNumber, parseExactJson } from '../../../src/platform/exact-json';

describe('exact JSON', () => {
  for (const text of [
    ...['9007199254740993', '8121069193333309404', '-8121069193333309404', '1000000000000000000001'],
    ...['0.1000000000000000055511151231257827', '1.2345678901234567891e5', '[9007199254740993,1,"9007199254740993"]'],
    ...['{"a":{"b":[9007199254740993]},"c":"x","__proto__":12345678901234567891}', '{"\\"12345678901234567891":1.5}'],
  ]) {
    it(`is written as it was read: ${text}`, () => assert.equal(exactJson(parseExactJson(text)), text));
  }

  it('is that of JSON for all other values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        assert.deepEqual(parseExactJson(text), JSON.parse(text));
        assert.equal(exactJson(value), text);
      }),
      { numRuns: 500 },
    );
  });

  it('has no long numbers where none is needed', () => {
    for (const digits of [
      '9007199254740992',
      '0.30000000000000004',
      '1e400',
      '1.50000000000000000000',
      '100000000000000000000',
    ]) {
      assert.equal(isLong(digits), false, digits);
    }
    assert.equal(parseExactJson('12345'), 12_345);
    assert.ok(parseExactJson('9007199254740993') instanceof LongNumber);
  });

  it('is refused like any other JSON', () => {
    for (const text of ['{12345678901234567891:1}', '12345678901234567891.', '[12345678901234567891,]', '']) {
      assert.throws(() => parseExactJson(text), SyntaxError);
    }
  });

  it('is an approximation for writers that know no long numbers', () => {
    assert.equal(JSON.stringify(parseExactJson('{"a":9007199254740993}')), '{"a":9007199254740992}');
  });
});
