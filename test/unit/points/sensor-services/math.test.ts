import assert from 'node:assert/strict';
import type { SensorDataPoint } from '../../../../src/points/data-points/data-point';
import { mathService } from '../../../../src/points/sensor-services/math';
import type { Json, ServiceState } from '../../../../src/points/sensor-services/sensor-service';
import { Stopwatch } from '../../../support/stopwatch';

const INPUTS = [
  { sensorId: 5, sensorName: 'indoor temp', dataType: 'float', fields: ['value'] },
  { sensorId: 7, sensorName: 'air', dataType: 'json', fields: ['dew-point'] },
];

const settled = (...calls: [method: string, parameters: string[]][]): ServiceState<Json, Json> => {
  let state: ServiceState<Json, Json> = {
    inputs: INPUTS,
    settings: mathService.settings,
    memory: mathService.memory,
    model: null,
  };
  for (const [name, parameters] of calls) {
    const method = mathService.methods.find((each) => each.name === name);
    assert.ok(method && 'set' in method);
    const outcome = method.set(state, parameters);
    assert.ok('settings' in outcome, JSON.stringify(outcome));
    state = { ...state, settings: outcome.settings };
  }
  return state;
};
const refusalOf = (text: string): string => {
  const method = mathService.methods.find(({ name }) => name === 'SetExpression');
  assert.ok(method && 'set' in method);
  const outcome = method.set(settled(), [text]);
  return 'refused' in outcome ? outcome.refused : '';
};
const air = (dewPoint: unknown, dateMs: number): SensorDataPoint => ({
  sensorId: 7,
  value: JSON.stringify({ 'dew-point': dewPoint }),
  dateMs,
});
const indoor = (value: string, dateMs: number): SensorDataPoint => ({ sensorId: 5, value, dateMs });
const SUM: [string, string[]] = ['SetExpression', ['_5_indoor_temp + _7_air_dew_point']];
const NOW = 1_000_000;

describe('math_service', () => {
  it('computes at each arrival as soon as all inputs have a value', () => {
    const points = [indoor('20', 1), indoor('21', 2), air(4, 3), indoor('22.5', 4)];
    const { outputs, error } = mathService.compute(settled(SUM), points, NOW);
    assert.deepEqual(
      outputs.map(({ value }) => value),
      ['25', '26.5'],
    );
    assert.equal(error, null);
  });

  it('reads the date of the point that arrived, in UTC', () => {
    const state = settled(['SetExpression', ['_5_indoor_temp > 0 ? hour() : 0']]);
    const dates = ['2026-11-26T22:59:00Z', '2026-11-26T23:00:00Z'].map(Date.parse);
    const points = dates.map((dateMs) => indoor('20', dateMs)).concat(air(4, Date.parse('2026-11-27T01:00:00Z')));
    const { outputs } = mathService.compute(
      { ...state, memory: { newest: { 7: { value: '1', dateMs: 0 } }, writtenMs: 0 } },
      points,
      NOW,
    );
    assert.deepEqual(
      outputs.map(({ value }) => value),
      ['22', '23', '1'],
    );
    assert.match(refusalOf('sensor_data_date'), /^unknown name "sensor_data_date"/);
    assert.match(refusalOf('humidity'), /an input is written with the id of its sensor, as in "_5_humidity"/);
  });

  it('accepts a dot before a field, as older clients write it', () => {
    const text = '_5_indoor_temp.value + (_7_air.dew_point > 3 ? length("_7_air.dew_point") : 0)';
    const state = settled(['SetExpression', [text]]);
    assert.deepEqual(mathService.compute(state, [indoor('20', 1), air(4, 2)], NOW).outputs[0]?.value, '36');
    assert.ok('expression' in Object(state.settings) && Object(state.settings).expression === text);
    assert.match(refusalOf('_9_other.value'), /position 0/);
    assert.match(refusalOf(`_5_indoor_temp.${'"\\'.repeat(50_000)}`), /2000/);
  });

  it('keeps the newest value of each input between passes', () => {
    const state = settled(SUM);
    const { memory } = mathService.compute(state, [indoor('20', 1)], NOW);
    assert.deepEqual(mathService.compute({ ...state, memory }, [air(1, 2)], NOW).outputs, [
      { value: '21', dateMs: NOW },
    ]);
  });

  it('dates its outputs by arrival, a millisecond apart, so that none replaces another', () => {
    const state = settled(SUM);
    const first = mathService.compute(state, [air(1, 1), indoor('1', 1), indoor('2', 2)], NOW);
    const second = mathService.compute({ ...state, memory: first.memory }, [indoor('3', 3)], NOW);
    assert.deepEqual(
      [...first.outputs, ...second.outputs],
      [
        { value: '2', dateMs: NOW },
        { value: '3', dateMs: NOW + 1 },
        { value: '4', dateMs: NOW + 2 },
      ],
    );
  });

  it('dates its outputs by the newest data on request', () => {
    const { outputs } = mathService.compute(
      settled(SUM, ['SetUseDataTimestamp', ['1']]),
      [air(1, 50), indoor('1', 20), indoor('2', 70)],
      NOW,
    );
    assert.deepEqual(outputs, [
      { value: '2', dateMs: 50 },
      { value: '3', dateMs: 70 },
    ]);
  });

  it('ignores a point that is older than the newest of its input', () => {
    const { outputs } = mathService.compute(settled(SUM), [air(1, 5), indoor('1', 9), indoor('8', 3)], NOW);
    assert.equal(outputs.length, 1);
  });

  it('identifies a sensor by its id after it was renamed', () => {
    const state = settled(SUM);
    const renamed = INPUTS.map((input) => ({ ...input, sensorName: 'other' }));
    const { outputs } = mathService.compute({ ...state, inputs: renamed }, [air(1, 1), indoor('1', 1)], NOW);
    assert.equal(outputs[0]?.value, '2');
  });

  it('writes nothing but the reason when it cannot compute', () => {
    const { outputs, error } = mathService.compute(settled(SUM), [air(1, 1), indoor('warm', 2)], NOW);
    assert.deepEqual(outputs, []);
    assert.match(String(error), /text|number/);
  });

  it('refuses an expression with unknown inputs or invalid syntax, with the position', () => {
    assert.match(refusalOf('_5_indoor_temp + _9_other'), /17/);
    assert.match(refusalOf('_5_indoor_temp +'), /position 16/);
    assert.match(refusalOf('sensor_data_value'), /position 0/);
    assert.match(refusalOf('constructor'), /position 0/);
  });
});

describe('math_service with large values', () => {
  const inputs = [
    { sensorId: 1, sensorName: 'o', dataType: 'json', fields: [] },
    { sensorId: 2, sensorName: 'n', dataType: 'float', fields: [] },
  ];
  const object = JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, index])));
  const expression = Array.from({ length: 240 }, (_, index) => `_1_f${index}`).join('+');

  it('parses an input once per change, however often the expression names it', () => {
    const state = { inputs, settings: { expression: `${expression}+_2`, useDataTimestamp: false }, model: null };
    const first = mathService.compute(
      { ...state, memory: mathService.memory },
      [{ sensorId: 1, value: object, dateMs: 1 }],
      1,
    );
    const numbers = Array.from({ length: 100 }, (_, index) => ({
      sensorId: 2,
      value: String(index),
      dateMs: index + 2,
    }));
    const watch = new Stopwatch();
    const { outputs, error } = mathService.compute({ ...state, memory: first.memory }, numbers, 2);
    const tookMs = watch.stop();
    assert.equal(error, null);
    assert.equal(outputs.length, 100);
    assert.equal(outputs[0]?.value, String((239 * 240) / 2));
    const bare = new Stopwatch();
    for (let round = 0; round < 100; round += 1) JSON.parse(object);
    // It would be parsed 24,000 times if each reference were parsed.
    assert.ok(tookMs < 5 * bare.stop() + 500, `${tookMs} ms`);
  }).retries(2);
});
