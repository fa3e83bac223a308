import assert from 'node:assert/strict';
import { ruleText } from '../../../console/src/pages/sensor/rule-text';

const textOf = (expression: string | null, units = {}, inactivity: number | null = null) =>
  ruleText({ expression, inactivity }, units).replaceAll('\u00a0', ' ');

describe('the rule of a trigger in words', () => {
  it('has its limits with their units', () => {
    assert.equal(textOf('sensor_data_value > -15', { unit: '°C' }), 'above −15 °C');
    assert.equal(textOf('sensor_data_value < 2 or sensor_data_value > 8', { unit: '°C' }), 'outside 2 °C to 8 °C');
    assert.equal(textOf('sensor_data_value.air.t < 2.5', { field_units: { 'air.t': 'K' } }), 'air.t below 2.5 K');
    assert.equal(textOf('sensor_data_value > 30'), 'above 30');
    assert.equal(textOf('sensor_data_value > 30', {}, 600), 'above 30, or no data for 10 min');
  });

  it('has the label of a limit, or the number that it was', () => {
    const rule = { expression: 'sensor_data_value > label("limit", -8)', inactivity: null };
    const shown = (variables?: object) =>
      ruleText({ ...rule, ...(variables && { variables }) }, { unit: '°C' }).replaceAll('\u00a0', ' ');
    assert.equal(shown(), 'above label “limit” (missing: −8 °C)');
    assert.equal(shown({ labels: { limit: 12 } }), 'above 12 °C');
    assert.equal(shown({ labels: { limit: 'off' } }), 'above label “limit” (missing: −8 °C)');
    assert.equal(textOf('sensor_data_value < label("limit")'), 'below label “limit”');
  });

  it('stays as it is written if it is another one', () => {
    const own = 'sensor_data_value > 30 and hour() < 6';
    assert.equal(textOf(own), own);
    assert.equal(
      textOf('abs(sensor_data_value - last_sensor_data_value) >= 5'),
      'abs(sensor_data_value - last_sensor_data_value) >= 5',
    );
    assert.equal(textOf(null, {}, 60), 'no data for 1 min');
  });
});
