import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readValue } from '../../../../../src/language/sensor-value';
import { describeWindow, numericFields } from '../../../../../src/points/sensor-services/learning/features';

function describeValues(values: readonly Record<string, number>[], startMs = 0) {
  const readings = values.map((each, at) => ({ input: '5', atMs: startMs + at * 10, values: each }));
  return describeWindow({ startMs, endMs: startMs + 1_000, readings });
}

const plain = (values: readonly number[]) => describeValues(values.map((value) => ({ '': value })));

describe('the numbers of a value', () => {
  const cases: [string, Record<string, number>][] = [
    ['5.5', { '': 5.5 }],
    ['true', { '': 1 }],
    ['hello', {}],
    ['"7"', {}],
    ['', {}],
    ['{"x-axis": 1, "y-axis": "2", "text": "no", "on": false}', { x_axis: 1, y_axis: 2, on: 0 }],
    ['{"place": {"height": 3, "deep": {"deeper": {"deepest": 9}}}}', { 'place.height': 3 }],
    ['[1, 2]', { '0': 1, '1': 2 }],
    ['{"big": 1e300}', { big: 1e60 }],
  ];
  for (const [stored, fields] of cases) {
    it(`of ${stored === '' ? 'nothing' : stored}`, () =>
      assert.deepEqual(numericFields(readValue(stored, 'json')), fields));
  }

  it('are at most sixteen', () => {
    const wide = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}`, at]));
    assert.equal(Object.keys(numericFields(wide)).length, 16);
  });
});

describe('the features of a window', () => {
  it('are mean, deviation, energy and crossings of the mean', () => {
    assert.deepEqual(plain([1, 3, 1, 3]), { '5/ mean': 2, '5/ deviation': 1, '5/ energy': 5, '5/ crossings': 1 });
  });

  it('include the correlation of two fields', () => {
    const features = describeValues([
      { x: 1, y: 10, z: 3 },
      { x: 2, y: 20, z: 2 },
      { x: 3, y: 30, z: 1 },
    ]);
    assert.ok(Math.abs((features['5/x~y'] ?? 0) - 1) < 1e-9);
    assert.ok(Math.abs((features['5/x~z'] ?? 0) + 1) < 1e-9);
  });

  it('are separate for two inputs', () => {
    const readings = [
      { input: '5', atMs: 0, values: { '': 1 } },
      { input: '6', atMs: 0, values: { '': 9 } },
    ];
    const features = describeWindow({ startMs: 0, endMs: 10, readings });
    assert.equal(features['5/ mean'], 1);
    assert.equal(features['6/ mean'], 9);
  });

  for (const [what, values] of [
    ['no reading', []],
    ['one reading', [7]],
    ['a constant', [7, 7, 7]],
  ] as const) {
    it(`show no variation for ${what}`, () => {
      const features = plain(values);
      assert.equal(features['5/ deviation'] ?? 0, 0);
      assert.equal(features['5/ crossings'] ?? 0, 0);
    });
  }

  const reading = fc.record({ x: fc.double({ noNaN: true }), y: fc.double({ noNaN: true }) }, { requiredKeys: [] });

  it('are finite for any finite or infinite numbers', () => {
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 30 }), (values) => {
        const features = describeValues(values.map((each) => numericFields(each)));
        for (const [name, value] of Object.entries(features)) assert.ok(Number.isFinite(value), name);
      }),
    );
  });

  it('do not depend on the time of the window', () => {
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 30 }), fc.integer({ min: 0, max: 2e12 }), (values, startMs) => {
        assert.deepEqual(describeValues(values, startMs), describeValues(values));
      }),
    );
  });

  it('keep deviation and crossings when the same number is added to every value', () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 32 });
    fc.assert(
      fc.property(values, fc.integer({ min: -1000, max: 1000 }), (numbers, offset) => {
        // Powers of two of values keep the mean exact, so a value on the mean stays on it.
        const exact = numbers.slice(0, 2 ** Math.floor(Math.log2(numbers.length)));
        const before = plain(exact);
        const after = plain(exact.map((value) => value + offset));
        assert.equal(after['5/ crossings'], before['5/ crossings']);
        assert.ok(Math.abs((after['5/ deviation'] ?? 0) - (before['5/ deviation'] ?? 0)) < 1e-9);
      }),
    );
  });
});
