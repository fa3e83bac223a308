import assert from 'node:assert/strict';
import { FieldsTooLarge, UnitedFields } from '../../../../src/points/data-points/united-fields';

describe('the fields of values of one time', () => {
  const cases: [string, string[], string][] = [
    ['are united', ['{"t":21.5}', '{"h":40}'], '{"t":21.5,"h":40}'],
    ['replace a field that is given again', ['{"t":21.5,"h":40}', '{"t":22}'], '{"t":22,"h":40}'],
    [
      'keep their digits',
      ['{"t":21.50,"n":9007199254740993}', '{"h":1e0}'],
      '{"t":21.50,"n":9007199254740993,"h":1e0}',
    ],
    ['hold a plain value under its name', ['21.5', '{"h":40}'], '{"value":21.5,"h":40}'],
    ['take a plain value', ['{"h":40}', '21.5'], '{"h":40,"value":21.5}'],
    ['hold a plain text as text', ['on', '{"h":40}', '007'], '{"value":"007","h":40}'],
    ['hold a boolean', ['true', '{"h":40}'], '{"value":true,"h":40}'],
    ['stay plain if all are', ['21.5', '22'], '22'],
    [
      'may be nested',
      ['{"a":{"b":[1,{"c":"}"}]},"d":"x,y:z"}', '{"e":1}'],
      '{"a":{"b":[1,{"c":"}"}]},"d":"x,y:z","e":1}',
    ],
    ['have names in any spelling', [' { "\\u0074" : 1 , "q\\"" : [ ] } ', '{"t":2}'], '{"t":2,"q\\"":[ ]}'],
    ['have any name', ['{"":1,"__proto__":2}', '{"x":3}'], '{"":1,"__proto__":2,"x":3}'],
    ['are those of objects alone', ['[1]', '{"h":40}'], '{"value":"[1]","h":40}'],
    ['may be none', ['{}', '{"h":40}'], '{"h":40}'],
  ];
  for (const [what, [first = '', ...others], expected] of cases) {
    it(what, () => {
      const fields = new UnitedFields(first);
      for (const other of others) fields.add(other);
      assert.equal(fields.value, expected);
    });
  }

  it('have together at most the bytes of a value', () => {
    const fields = new UnitedFields(`{"a":"${'x'.repeat(40_000)}"}`);
    fields.add(`{"b":"${'ü'.repeat(13_000)}"}`);
    assert.throws(() => fields.value, FieldsTooLarge);
  });
});
