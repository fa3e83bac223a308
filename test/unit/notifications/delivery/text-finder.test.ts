import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TextFinder } from '../../../../src/notifications/delivery/text-finder';
import { finish } from '../../../../src/platform/steps';
import { assertLinear } from '../../../support/growth';

describe('finding many texts in one pass', () => {
  const find = (texts: readonly string[], text: string) => finish(TextFinder.of(texts)).find(text);

  /** True for each character that is part of one of the texts. */
  const naive = (texts: readonly string[], text: string) => {
    const covered = Array.from(text, () => false);
    for (const one of texts)
      for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + 1)) covered.fill(true, at, at + one.length);
    return covered;
  };

  it('finds what a search for each of them finds, and how much of one has begun', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 });
    const short = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(short, { maxLength: 8 }), letters, (texts, text) => {
        const { ranges, begun } = find(texts, text);
        const covered = Array.from(text, (_, at) => ranges.some(([from, to]) => from <= at && at < to));
        assert.deepEqual(covered, naive(texts, text));
        const ends = texts.flatMap((one) => Array.from(one, (_, at) => one.slice(0, at + 1)));
        assert.equal(begun, Math.max(0, ...ends.filter((end) => text.endsWith(end)).map(({ length }) => length)));
        assert.ok(ranges.every(([from], index) => index === 0 || from > (ranges[index - 1]?.[1] ?? 0)));
      }),
    );
  });

  it('takes linear time, whatever the texts have in common', () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${'a'.repeat(1_000)}${index}`);
    const finder = finish(TextFinder.of(texts));
    assertLinear(20_000, (n) => void finder.find('a'.repeat(n)), 'a');
    assertLinear(500, (n) => void finish(TextFinder.of(texts.map((text) => text.slice(1_000 - n)))), 'a');
  });
});
