import assert from 'node:assert/strict';
import { explainJson } from '../../../../src/api/middlewares/explain-json';

const CASES: [text: string, position: number, why: RegExp][] = [
  ['{"value":nan}', 9, /no such number/],
  ['{"value":NaN}', 9, /no such number/],
  ['{"value":-Infinity}', 9, /no such number/],
  ['{"value":True}', 9, /true or false, in lower case/],
  ['{"value":None}', 9, /null/],
  ["{'value':1}", 1, /double quotes/],
  ['{"value":\'on\'}', 9, /double quotes/],
  ['{value:1}', 1, /double quotes/],
  ['{"value":1,}', 11, /name in double quotes|value/],
  ['{"value":1', 10, /closing brace/],
  ['[{"value":1}', 12, /closing bracket/],
  ['{"value" 1}', 9, /colon/],
  ['{"value":1 "date":2}', 11, /comma/],
  ['{"value":.5}', 9, /begins with a digit/],
  ['{"value":+5}', 9, /plus sign/],
  ['{"value":1} // note', 12, /comments|follow/],
  ['hello', 0, /double quotes/],
  ['weather,room=a temperature=21.5', 0, /double quotes/],
  ['{"value":"a', 9, /does not end/],
  ['{"value":"\\x"}', 9, /escape/],
];

describe('the explanation of broken JSON', () => {
  for (const [text, position, why] of CASES) {
    it(`names the position and the reason: ${text}`, () => {
      assert.throws(() => JSON.parse(text));
      const found = explainJson(text);
      assert.ok(found);
      assert.equal(found.position, position, found.why);
      assert.match(found.why, why);
    });
  }

  it('finds no mistake in JSON', () => {
    for (const text of ['{"value":1.5e3}', '[null,true,"\\u00e9"]', ' 1 ']) assert.equal(explainJson(text), undefined);
  });
});
