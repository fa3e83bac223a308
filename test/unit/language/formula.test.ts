import assert from 'node:assert/strict';
import { compileFormula, formulaVariables, sensorOfWindow, variablesOfPoint } from '../../../src/language/formula';
import { readValue } from '../../../src/language/sensor-value';

const VALUES: Record<string, string> = {
  5: '20',
  6: '[4,[8,9]]',
  7: JSON.stringify({
    'dew-point': 3,
    air: { 'dew-point': 4, list: [10, { x: 11 }] },
    list: [1, 2],
    station_wind: 6,
    wind: 7,
    'a-b': 1,
    'a.b': 2,
    none: null,
  }),
};
const IDS = [5, 6, 7];
const variables = formulaVariables((id) => {
  const value = VALUES[id];
  return value === undefined ? undefined : readValue(value, 'json');
});

function resultOf(text: string): unknown {
  const compiled = compileFormula(text, IDS);
  if (!compiled.ok) return compiled.error;
  const result = compiled.expression.evaluateToValue(variables);
  return result.ok ? result.value : result.error;
}

describe('a formula', () => {
  const results: [text: string, result: unknown][] = [
    // As formulas have always been written.
    ['_5 + _5_indoor + _5_any_other_name', 60],
    ['_7_x_dew_point', 3],
    ['_7_x.dew_point', 3],
    ['_7_x.dew_point*2', 6],
    ['_7_x.wind + _7_x_wind', 14],
    ['_7_station_wind', 6],
    ['_7_station.wind', 6],
    ['length(_7_x.list)', 2],
    ['1 in _7_x.list', true],
    ['_7_x.list == [1, 2] ? 1 : 0', 1],
    ['length("_7_x.list[0]")', 12],
    ['_7_x', '_7_x has no value'],
    ['_7_x.none', '_7_x_none has no value'],
    ['_7_x_a_b', '_7_x_a_b has no value'],
    ['_6_x', 'the result is neither a number nor a string'],
    // Fields and items, as the expressions of triggers have them.
    ['_7_x["dew-point"]', 3],
    ['_7_station["wind"]', 7],
    ['_7_x["a-b"] * 10 + _7_x["a.b"]', 12],
    ['_7_x.air["dew-point"]', 4],
    ['_7_x.air.dew_point', 4],
    ['_7_x . air . dew_point', 4],
    ['_7_x["air"].list[1].x', 11],
    ['_7_x.air.list[0]', 10],
    ['_7_x.list[1]', 2],
    ['_7_x_list[1]', 2],
    ['_7_x["list"][1]', 2],
    ['_6_x[0] + _6_x[1][1]', 13],
    ['_7_x["none"] == null', true],
    ['_7_x["more"]', '_7_x["more"] does not exist'],
    ['_7_x.list[2]', '_7_x.list[2] does not exist'],
    ['_7_x.air.list.0', '_7_x.air.list.0 does not exist: items of a list are written as in [0]'],
    ['_5_x["more"]', '_5_x["more"] does not exist'],
    ['_8_x["more"]', 'unknown name "_8_x" at position 0'],
    ['7', 7],
    ['_7_x["constructor"]', 'unknown name "constructor" at position 0'],
  ];
  for (const [text, result] of results) it(`gives ${result} for ${text}`, () => assert.equal(resultOf(text), result));

  it('keeps the positions of errors where a field stands behind a dot', () => {
    assert.equal(resultOf('_7_x.dew_point + humidity'), resultOf('_7_x_dew_point + humidity'));
    assert.match(String(resultOf('_7_x.dew_point + humidity')), /at position 17$/);
  });

  it('has windows over one sensor each, whose points are its only values', () => {
    const compiled = compileFormula('delta(_7_x.list[1] + _7_x["dew-point"], 60) + rate(_5_x, 5)', IDS);
    assert.ok(compiled.ok);
    const { windows } = compiled.expression;
    assert.deepEqual(windows.map(sensorOfWindow), [7, 5]);
    const point = variablesOfPoint(readValue('{"list":[1,5],"dew-point":1}', 'json'));
    assert.deepEqual(windows[0]?.x.evaluateToValue(point), { ok: true, value: 6 });
  });

  it('refuses a window over several sensors, over none, and within another', () => {
    assert.match(String(resultOf('1 + delta(_5_a + _7_b.wind, 9)')), /reads several sensors, .* at position 4$/);
    assert.match(String(resultOf('count_over_time(1, 9)')), /reads no sensor, and has to read one at position 0$/);
    assert.match(String(resultOf('delta(max_over_time(_5_a, 9), 9)')), /"max_over_time" within another one/);
    assert.match(String(resultOf('delta(hour() + _5_a, 9)')), /unknown name "hour" at position 6$/);
  });
});
