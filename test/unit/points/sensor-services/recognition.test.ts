import assert from 'node:assert/strict';
import { serviceNamed } from '../../../../src/points/sensor-services';
import { type Example, learn } from '../../../../src/points/sensor-services/learning/classifier';
import { RangeLearner } from '../../../../src/points/sensor-services/learning/range-learner';
import { writeModel } from '../../../../src/points/sensor-services/learnt-model';
import { posePrediction, posePredictionService } from '../../../../src/points/sensor-services/pose-prediction';
import { readingOf } from '../../../../src/points/sensor-services/recognition';
import type { Json, SensorService, ServiceInput } from '../../../../src/points/sensor-services/sensor-service';
import { stateRecognition, stateRecognitionService } from '../../../../src/points/sensor-services/state-recognition';
import { accelerations, MOVEMENTS } from '../../../support/movement';

const T0 = 1_795_229_540_000;
const inputs: readonly ServiceInput[] = [{ sensorId: 7, sensorName: 'phone', dataType: 'json', fields: [] }];

function pointsOf(name: string, fromMs: number, seconds: number, seed: number) {
  const movement = MOVEMENTS[name];
  assert.ok(movement);
  return accelerations(movement, fromMs, seconds, seed).map(({ date, value }) => ({
    sensorId: 7,
    value: JSON.stringify(value),
    dateMs: Math.round(date * 1000),
  }));
}

function examplesOf(name: string): Example[] {
  const learner = new RangeLearner({ startMs: T0, endMs: T0 + 60_000, windowMs: 5_000, inputs: ['7'] });
  learner.take(pointsOf(name, T0, 60, 1).flatMap((point) => readingOf(inputs, point, posePrediction.readFields) ?? []));
  return learner.result().map(({ features }) => ({ label: name, features }));
}

const model = writeModel(learn([...examplesOf('walking'), ...examplesOf('sitting')]));
const oneLabel = writeModel(learn(examplesOf('walking')));

function state(service: SensorService, changes: { model?: string | null; settings?: object; memory?: Json } = {}) {
  const { settings, memory } = service;
  return { inputs, model, memory, ...changes, settings: { ...Object(settings), ...changes.settings } };
}

function call(service: SensorService, name: string, parameters: string[], changes = {}) {
  const method = service.methods.find((each) => each.name === name);
  assert.ok(method);
  return 'get' in method ? method.get(state(service, changes)) : method.set(state(service, changes), parameters);
}

describe('the recognition services', () => {
  it('are in the catalogue and can learn', () => {
    for (const name of ['state_recognition_service', 'pose_prediction_service']) {
      assert.equal(serviceNamed(name)?.learns, true, name);
    }
  });

  it('write the label of every complete window, dated at its end', () => {
    const { outputs, error } = posePredictionService.compute(
      state(posePredictionService),
      pointsOf('walking', T0, 12, 8),
      0,
    );
    assert.deepEqual(outputs, [
      { value: 'walking', dateMs: T0 + 5_000 },
      { value: 'walking', dateMs: T0 + 10_000 },
    ]);
    assert.equal(error, null);
  });

  it('continue from their memory, however the points are divided', () => {
    let memory: Json = posePredictionService.memory;
    const values: string[] = [];
    const points = pointsOf('sitting', T0, 21, 8);
    for (let at = 0; at < points.length; at += 33) {
      const step = posePredictionService.compute(
        state(posePredictionService, { memory }),
        points.slice(at, at + 33),
        0,
      );
      memory = JSON.parse(JSON.stringify(step.memory));
      values.push(...step.outputs.map(({ value }) => value));
    }
    assert.deepEqual(values, ['sitting', 'sitting', 'sitting', 'sitting']);
    const confidence = Number(call(posePredictionService, 'GetConfidence', [], { memory }));
    assert.ok(confidence > 0.5 && confidence <= 1, String(confidence));
  });

  for (const [what, learnt] of [
    ['nothing', null],
    ['one label', oneLabel],
  ] as const) {
    it(`write nothing but the reason when they have learnt ${what}`, () => {
      const points = pointsOf('walking', T0, 60, 8);
      const { outputs, error } = posePredictionService.compute(
        state(posePredictionService, { model: learnt }),
        points,
        0,
      );
      assert.deepEqual(outputs, []);
      assert.equal(error, 'fewer than two labels have been learnt');
    });
  }

  it('write nothing in manual input mode', () => {
    const changes = call(posePredictionService, 'SetManualInputMode', ['1']);
    assert.ok(typeof changes === 'object' && 'settings' in changes);
    const manual = state(posePredictionService, { settings: Object(changes.settings) });
    assert.deepEqual(posePredictionService.compute(manual, pointsOf('walking', T0, 60, 8), 0).outputs, []);
    assert.equal(call(posePredictionService, 'GetManualInputMode', []), 'false');
    assert.equal(call(posePredictionService, 'GetManualInputMode', [], { settings: { manual: true } }), 'true');
    assert.deepEqual(call(posePredictionService, 'SetManualInputMode', ['maybe']), { refused: 'must be 1 or 0' });
  });

  it('list their labels and forget only known ones', () => {
    assert.equal(call(posePredictionService, 'GetClassLabels', []), '["sitting","walking"]');
    assert.equal(call(posePredictionService, 'GetClassLabels', [], { model: oneLabel }), '["walking"]');
    assert.equal(call(posePredictionService, 'GetClassLabels', [], { model: null }), '[]');
    assert.deepEqual(call(posePredictionService, 'ForgetClassLabel', ['walking']), {
      settings: posePredictionService.settings,
      forgetLabel: 'walking',
    });
    assert.ok('refused' in Object(call(posePredictionService, 'ForgetClassLabel', ['flying'])));
  });

  it('change the length of their windows only before they have learnt', () => {
    assert.equal(call(posePredictionService, 'GetWindow', []), '5');
    assert.ok('refused' in Object(call(posePredictionService, 'SetWindow', ['2.5'])));
    assert.ok('settings' in Object(call(posePredictionService, 'SetWindow', ['5'])));
    assert.deepEqual(call(posePredictionService, 'SetWindow', ['2.5'], { model: null }), {
      settings: { windowMs: 2_500, manual: false },
    });
    const learning = { labels: ['sitting'], waiting: 0, points: 0, read: 0, error: null };
    const stored = call(posePredictionService, 'SetWindow', ['2.5'], { model: null, learning });
    assert.ok('refused' in Object(stored), 'its examples are stored, and its model is not yet');
    for (const text of ['', '0', '-1', 'x', '1e99', 'Infinity', 'NaN']) {
      assert.ok('refused' in Object(call(posePredictionService, 'SetWindow', [text], { model: null })), text);
    }
  });

  it('have no confidence before they have recognised anything', () => {
    assert.equal(call(stateRecognitionService, 'GetConfidence', []), '0');
  });

  it('name the fields that a value lacks', () => {
    const say = (service: SensorService, value: string) =>
      service.compute(state(service), [{ sensorId: 7, value, dateMs: T0 }], 0).error;
    assert.match(say(posePredictionService, '{"x-axis": 1, "y-axis": 2}') ?? '', /z-axis/);
    assert.match(say(posePredictionService, '5') ?? '', /x-axis/);
    assert.equal(say(posePredictionService, '{"x-axis": 1, "y-axis": 2, "z-axis": 3, "more": 4}'), null);
    assert.equal(say(stateRecognitionService, 'hello'), 'the value holds no number');
    assert.equal(say(stateRecognitionService, '5'), null);
    assert.equal(say(stateRecognitionService, '{"steps": 5}'), null);
  });

  it('use the connected fields, or all fields of a whole value', () => {
    const read = (fields: string[], value: string) =>
      stateRecognition.readFields({ sensorId: 7, sensorName: 'phone', dataType: 'json', fields }, value);
    const value = '{"loud": 5, "bright": 6, "place": "here"}';
    assert.deepEqual(read(['loud'], value), { loud: 5 });
    assert.deepEqual(read(['value'], value), { loud: 5, bright: 6 });
    assert.deepEqual(read([], value), { loud: 5, bright: 6 });
    assert.deepEqual(read(['place'], value), null);
    assert.deepEqual(read(['value'], '5'), { value: 5 });
    assert.deepEqual(read(['value'], '[1, 2]'), { 'value.0': 1, 'value.1': 2 });
  });

  it('are available to the sensors that they can use', () => {
    const axes = '{"x-axis":"float","y-axis":"float","z-axis":"float","name":"string"}';
    const usable = (service: SensorService, dataType: string, dataStructure: string) =>
      service.usableFields({ dataType, dataStructure });
    assert.deepEqual(usable(posePredictionService, 'json', axes), ['x-axis', 'y-axis', 'z-axis']);
    assert.deepEqual(usable(posePredictionService, 'json', '{"x-axis":"float","y-axis":"float"}'), []);
    assert.deepEqual(usable(posePredictionService, 'float', ''), []);
    assert.deepEqual(usable(stateRecognitionService, 'json', axes), ['x-axis', 'y-axis', 'z-axis']);
    assert.deepEqual(usable(stateRecognitionService, 'float', ''), ['value']);
    assert.deepEqual(usable(stateRecognitionService, 'string', ''), []);
  });
});
