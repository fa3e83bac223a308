import assert from 'node:assert/strict';
import { pickFields, tileInterval } from '../../../../src/sensors/dashboards/dashboard';

describe('the data of a tile', () => {
  it('has the shortest intervals that are few enough for its range', () => {
    const expected: [range: number, interval: number][] = [
      [600, 60],
      [48_000, 60],
      [48_001, 300],
      [86_400, 300],
      [604_800, 1_800],
      [2_592_000, 3_600],
      [31_622_400, 86_400],
    ];
    for (const [range, interval] of expected) assert.equal(tileInterval(range), interval, `${range} s`);
  });

  it('has the wanted fields of JSON objects, and no others', () => {
    const value = '{"t":1,"a":{"b":2,"c":{"d":null}},"a.x":3,"list":[1],"s":"text"}';
    const expected: [fields: string[], picked: string | undefined][] = [
      [[], value],
      [['t'], '{"t":1}'],
      [['a.b', 'a.x'], '{"a.b":2,"a.x":3}'],
      [['a.c.d'], '{"a.c.d":null}'],
      [['s', 'none'], '{"s":"text"}'],
      [['none'], undefined],
      [['toString', '__proto__', 'a.constructor', 'list.0', 't.x', '.', 'a.'], undefined],
    ];
    for (const [fields, picked] of expected) assert.equal(pickFields(value, fields), picked, fields.join());
    for (const other of ['21.5', 'text', '"t"', '[{"t":1}]', 'null', '{"t":']) {
      assert.equal(pickFields(other, ['t']), undefined, other);
      assert.equal(pickFields(other, []), other);
    }
  });
});
