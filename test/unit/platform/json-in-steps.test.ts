import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exactJson, parseExactJson } from '../../../src/platform/exact-json';
import { JsonSliceError, parseJsonInSteps } from '../../../src/platform/json-in-steps';
import { finish } from '../../../src/platform/steps';

const parsed = (text: string, slice: number) => {
  try {
    return { value: exactJson(finish(parseJsonInSteps(text, parseExactJson, slice))) };
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
    return {};
  }
};
const atOnce = (text: string) => {
  try {
    return { value: exactJson(parseExactJson(text)) };
  } catch {
    return {};
  }
};

/** Values with names that repeat, that are numbers, and that a prototype has. */
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom('1', '-0.5e3', '12345678901234567890', 'true', 'null', '"a,b]"', '"\\"}"', '""'),
    fc.array(tie('value'), { maxLength: 6 }).map((parts) => `[${parts.join(' ,')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '7', '__proto__', 'toString', 'x,{'), tie('value')), { maxLength: 6 })
      .map((parts) => `{${parts.map(([name, value]) => `"${name}" : ${value}`).join(',')}}`),
  ),
}));

describe('parsing JSON in steps', () => {
  it('gives what parsing at once gives, wherever the text is cut', () => {
    fc.assert(
      fc.property(values.map(String), fc.nat(12), (text, slice) => {
        const padded = ` ${text}\n`;
        assert.deepEqual(parsed(padded, slice), atOnce(padded));
      }),
      { numRuns: 3_000 },
    );
  });

  it('refuses what parsing at once refuses', () => {
    const mistakes = fc.constantFrom(',', '[', ']', '{', '}', ':', '"', '1', ' ', 'x');
    fc.assert(
      fc.property(
        values.map(String),
        fc.nat(),
        fc.nat(1),
        mistakes,
        fc.nat(12),
        (text, at, dropped, mistake, slice) => {
          const place = at % (text.length + 1);
          const wrong = text.slice(0, place) + mistake + text.slice(place + dropped);
          assert.deepEqual(parsed(wrong, slice), atOnce(wrong), wrong);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('parses a long text by slices', () => {
    const lengths: number[] = [];
    const parse = (json: string) => {
      lengths.push(json.length);
      return JSON.parse(json);
    };
    const data = { data: Array.from({ length: 10_000 }, (_, n) => ({ n, value: { a: [1.5, 2.5], b: 'text' } })) };
    assert.deepEqual(finish(parseJsonInSteps(JSON.stringify(data), parse)), data);
    assert.ok(lengths.length > 5);
    assert.ok(Math.max(...lengths) < 70_000, String(Math.max(...lengths)));
  });

  it('says where a long text is wrong', () => {
    for (const [text, position] of [
      ['[1,2,3,4', 8],
      ['[1,2,3,4}', 8],
      ['[1,2,3,4] 5', 9],
      ['[1,,2,3]', 3],
      ['[[1,2] [3,4]]', 7],
    ] as const) {
      const wrong = (error: unknown) => error instanceof JsonSliceError && error.position === position;
      assert.throws(() => finish(parseJsonInSteps(text, JSON.parse, 1)), wrong, text);
    }
  });
});
