import assert from 'node:assert/strict';
import { thresholdsOf } from '../../../console/src/pages/sensor/thresholds';

const rule = (expression: string | null, resolve: string | null = null, active = true) =>
  thresholdsOf('7', [{ name: 'rule', active, expression, resolve_expression: resolve }]).map(
    ({ field, value, isEnd }) => [field, value, isEnd],
  );

describe('the thresholds of a chart', () => {
  it('are the numbers of simple rules, and those that end their alerts', () => {
    assert.deepEqual(rule('sensor_data_value > 30'), [['', 30, false]]);
    assert.deepEqual(rule('sensor_data_value < -2.5', 'sensor_data_value > 3'), [
      ['', -2.5, false],
      ['', 3, true],
    ]);
    assert.deepEqual(rule('sensor_data_value.air.t < 2 or sensor_data_value.air.t > 8'), [
      ['air.t', 2, false],
      ['air.t', 8, false],
    ]);
    assert.deepEqual(rule('avg_over_time(sensor_data_value, 600) > 1e3'), [['', 1_000, false]]);
  });

  it('are none of rules that compare something else, are paused or have no expression', () => {
    assert.deepEqual(rule('abs(sensor_data_value - last_sensor_data_value) >= 5'), []);
    assert.deepEqual(rule('sensor_data_value > 30 and sensor_data_hour < 6'), []);
    assert.deepEqual(rule('sensor_data_value > 30', null, false), []);
    assert.deepEqual(rule(null), []);
  });

  it('stand at the labels of the sensor, or at what stands in for them', () => {
    const rules = [
      {
        name: 'too warm',
        active: true,
        expression: 'sensor_data_value > label("limit", 8)',
        resolve_expression: 'sensor_data_value < label("calm")',
      },
    ];
    const drawn = (labels?: Record<string, unknown>) => thresholdsOf('7', rules, labels).map(({ label }) => label);
    assert.deepEqual(drawn({ limit: 12, calm: '6.5' }), ['too warm 12', 'too warm ends 6.5']);
    assert.deepEqual(drawn({}), ['too warm 8']);
    assert.deepEqual(drawn(), []);
  });

  it('have the name of the trigger and the number', () => {
    const rules = [
      {
        name: 'too warm',
        active: true,
        expression: 'sensor_data_value > 30',
        resolve_expression: 'sensor_data_value < 28',
      },
    ];
    assert.deepEqual(
      thresholdsOf('7', rules).map(({ label, sensorId }) => [label, sensorId]),
      [
        ['too warm 30', '7'],
        ['too warm ends 28', '7'],
      ],
    );
  });
});
