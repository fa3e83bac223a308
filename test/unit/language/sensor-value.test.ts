import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileExpression } from '../../../src/language/expression';
import { type ExpressionObject, fieldOf, isAmbiguous, readNumber, readValue } from '../../../src/language/sensor-value';
import { assertLinear } from '../../support/growth';
import { Stopwatch } from '../../support/stopwatch';

function object(stored: string): ExpressionObject {
  const value = readValue(stored, 'json');
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value));
  // The type still includes arrays after the assertion, because Array.isArray does not exclude `readonly` ones.
  return value as ExpressionObject;
}

describe('readValue', () => {
  const cases: [string, string, unknown][] = [
    ['5', 'float', 5],
    ['-1.5e3', 'float', -1500],
    [' 7 ', 'integer', 7],
    ['.5', '', 0.5],
    ['5 apples', 'float', '5 apples'],
    ['0x10', 'float', '0x10'],
    ['1e999', 'float', '1e999'],
    ['5.', 'float', 5],
    ['+5.25E-1', 'float', 0.525],
    ['.', 'float', '.'],
    ['1.2.3', 'float', '1.2.3'],
    ['Infinity', 'float', 'Infinity'],
    ['', 'float', ''],
    ['true', 'boolean', true],
    ['false', 'bool', false],
    ['True', 'float', true],
    ['FALSE', '', false],
    ['tRUE', 'json', 'tRUE'],
    ['On', 'boolean', true],
    ['no', ' Bool ', false],
    ['on', 'json', 'on'],
    ['ajar', 'boolean', 'ajar'],
    ['21.5', 'boolean', 21.5],
    ['{"a":"TRUE","b":"on"}', 'boolean', { a: true, b: 'on' }],
    ['True', 'string', 'True'],
    ['[1,"2"]', 'json', [1, 2]],
    ['{broken', 'json', '{broken'],
    ['5', 'string', '5'],
    ['true', 'string', 'true'],
    ['{"a":1}', 'string', '{"a":1}'],
  ];
  for (const [stored, dataType, expected] of cases) {
    it(`reads ${JSON.stringify(stored)} of a sensor of type "${dataType}"`, () => {
      assert.equal(JSON.stringify(readValue(stored, dataType)), JSON.stringify(expected));
    });
  }

  it('returns objects with valid field names, without a prototype, and frozen', () => {
    const value = object('{"x-axis":1,"a b":{"c":"4"},"x_axis":2,"__proto__":{"y":1},"constructor":3}');
    const inner = Object.assign(Object.create(null), { c: 4 });
    assert.deepEqual(Object.fromEntries(Object.entries(value)), { 'x-axis': 1, x_axis: 2, a_b: inner });
    assert.equal(Object.getPrototypeOf(value), null);
    assert.ok(Object.isFrozen(value) && Object.isFrozen(value.a_b));
  });

  it('finds fields by their own names, too, and by none that several would have', () => {
    const value = object('{"x-axis":1,"a-b":2,"a.b":3,"c":4,"":5,"d-e":6,"d_e":7}');
    assert.deepEqual(Object.keys(value).sort(), ['', 'a-b', 'a.b', 'c', 'd-e', 'd_e', 'x_axis']);
    const names = ['x-axis', 'x_axis', 'x axis', 'a-b', 'a.b', 'a_b', 'd-e', 'd_e', '', 'toString'];
    const found = (isQuoted: boolean) => names.map((name) => fieldOf(value, { name, isQuoted }));
    assert.deepEqual(found(true), [1, 1, undefined, 2, 3, undefined, 6, 7, 5, undefined]);
    assert.deepEqual(found(false), [1, 1, undefined, 2, 3, undefined, 6, undefined, 5, undefined]);
    const ambiguous = ['a_b', 'd_e', 'x_axis', 'a-b', 'c'].filter((name) => isAmbiguous(value, name));
    assert.deepEqual(ambiguous, ['a_b', 'd_e']);
  });

  it('reads JSON that is nested too deeply as a string', () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    assert.equal(readValue(deep, 'json'), deep);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        readValue(text, 'json');
      }),
    );
  });
});

describe('readNumber', () => {
  it('refuses a string that is almost a number in time proportional to its length', () => {
    for (const start of ['', '-', '0.', '1e', ' ']) {
      assertLinear(1_000_000, (length) => {
        assert.equal(readNumber(`${start}${'1'.repeat(length)}x`), null);
        assert.equal(readNumber(`${start}1${' '.repeat(length)}x`), null);
      });
    }
  });

  it('is equally fast for a string of 64 KB that an expression compares with numbers', () => {
    const compiled = compileExpression('sensor_data_value == 5 or sensor_data_value in [6, 7, 8, 9]');
    assert.ok(compiled.ok);
    const watch = new Stopwatch();
    for (const dataType of ['float', 'string']) {
      const sensor_data_value = readValue(`${'1'.repeat(65_000)}x`, dataType);
      assert.deepEqual(compiled.expression.evaluate({ sensor_data_value }), { ok: true, value: false });
    }
    assert.ok(watch.stop() < 1_000);
  }).retries(2);
});
