import assert from 'node:assert/strict';
import { beyondLimit } from '../../../console/src/pages/alerts/worst';

const firing = (expression: string, value: string, labels?: object) => ({
  expression,
  reason: 'expression',
  acknowledged: null,
  variables: { sensor_data_value: value, ...(labels && { labels }) },
});
const valuesOf = (firings: ReturnType<typeof firing>[]) => beyondLimit(firings).map(({ value }) => value);

describe('the worst alert of a rule', () => {
  it('is the one that is farthest beyond a number', () => {
    const above = (value: string) => firing('sensor_data_value > 5', value);
    const below = (value: string) => firing('sensor_data_value < 5', value);
    assert.deepEqual(valuesOf([above('6'), above('9'), above('7')]), [9, 7, 6]);
    assert.deepEqual(valuesOf([below('4'), below('-1'), below('2')]), [-1, 2, 4]);
  });

  it('is the one that is farthest beyond the label of its own sensor', () => {
    const rule = 'sensor_data_value > label("limit", 8)';
    const alerts = [
      firing(rule, '21', { limit: 20 }),
      firing(rule, '-10', { limit: -18 }),
      firing(rule, '13', { limit: 8 }),
    ];
    assert.deepEqual(valuesOf(alerts), [-10, 13, 21]);
  });

  it('is unknown for other rules, and for alerts of several rules', () => {
    assert.deepEqual(valuesOf([firing('sensor_data_value == 5', '5')]), []);
    assert.deepEqual(valuesOf([firing('sensor_data_value > 5', '6'), firing('sensor_data_value > 4', '6')]), []);
  });
});
