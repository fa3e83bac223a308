import assert from 'node:assert/strict';
import fc from 'fast-check';
import { differences } from '../../../src/audit/recording/shown-values';

const shown = (before: string, after: string) =>
  differences({ shown: ['text'], secret: [] }, { text: before }, { text: after }).get('text');

describe('what a record shows of a text', () => {
  it('is all of it, if it is short', () => {
    assert.deepEqual(shown('value > 30', 'value > 28'), ['value > 30', 'value > 28']);
    assert.deepEqual(shown('', 'new'), [null, 'new']);
    assert.equal(shown('same', 'same'), undefined);
  });

  it('is where long texts differ', () => {
    const long = 'a < 1 or '.repeat(100);
    const [before, after] = shown(`${long}b > 2 and c`, `${long}b > 3 and c`) ?? [];
    assert.match(String(before), /^….{30,50}b > 2 and c$/);
    assert.match(String(after), /^….{30,50}b > 3 and c$/);
  });

  it('differs whenever the texts do, and has at most 200 characters', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 400 });
    fc.assert(
      fc.property(text, text, text, text, (begin, one, other, end) => {
        const [before, after] = [`${begin}${one}${end}`, `${begin}${other}${end}`];
        const pair = shown(before, after);
        assert.equal(pair === undefined, before === after);
        if (!pair) return;
        assert.notEqual(pair[0], pair[1]);
        for (const value of pair) assert.ok(String(value).length <= 202, String(value));
      }),
    );
  });
});
