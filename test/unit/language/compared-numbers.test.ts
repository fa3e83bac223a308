import assert from 'node:assert/strict';
import { comparedNumbers } from '../../../src/language/compared-numbers';
import { givenLabels } from '../../../src/language/labels';

describe('the numbers that an expression compares values with', () => {
  const expected: [expression: string, numbers: [field: string, value: number][]][] = [
    ['sensor_data_value > 30', [['', 30]]],
    ['sensor_data_value<=-1.5e1', [['', -15]]],
    [
      'sensor_data_value < 2 or sensor_data_value > 8',
      [
        ['', 2],
        ['', 8],
      ],
    ],
    ['not (sensor_data_value.wind.speed >= 7 && hour() < 6)', [['wind.speed', 7]]],
    [
      'sensor_data_value["a b"] > 1 ? true : sensor_data_value.c < 3',
      [
        ['a b', 1],
        ['c', 3],
      ],
    ],
    ['avg_over_time(sensor_data_value.t, 600) > 4', [['t', 4]]],
    ['', []],
    ['sensor_data_value == 5', []],
    ['sensor_data_value > 5 + 1', []],
    ['2 * sensor_data_value > 5', []],
    ['-sensor_data_value > 5', []],
    ['abs(sensor_data_value - last_sensor_data_value) > 5', []],
    ['last_sensor_data_value > 5', []],
    ['max_over_time(sensor_data_value, 600) > 5', []],
    ['2 - avg_over_time(sensor_data_value, 600) > 5', []],
    ['sensor_data_value.list[0] > 5', []],
    ['sensor_data_value > -', []],
    ['sensor_data_value >', []],
    ['> 5', []],
    ['sensor_data_value > 5 “', []],
    ['sensor_data_value > label("limit")', [['', 8]]],
    ['sensor_data_value > label("kind")', []],
    ['sensor_data_value > label("limit") + 1', []],
    ['sensor_data_value > label(', []],
    ['sensor_data_value > "label" or sensor_data_value > 3', [['', 3]]],
  ];
  const labels = { sensorName: 'freezer 7', values: givenLabels({ limit: 8, kind: 'freezer' }) };
  for (const [expression, numbers] of expected) {
    it(`are ${JSON.stringify(numbers)} in ${JSON.stringify(expression)}`, () => {
      assert.deepEqual(
        comparedNumbers(expression, labels).map(({ field, value }) => [field, value]),
        numbers,
      );
    });
  }
});
