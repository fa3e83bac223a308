import assert from 'node:assert/strict';
import { ValueResults } from '../../../../src/alerts/backtests/value-results';

const TYPES = new Map([
  [1, 'float'],
  [2, 'string'],
]);

describe('results for values', () => {
  it('are shared by points with the same value and type of data', () => {
    const results = new ValueResults(['sensor_data_value > 30']);
    const [a, b, c] = results.rowsOf([pointOf(1, '31'), pointOf(1, '31'), pointOf(2, '31')], TYPES) ?? [];
    assert.ok(a);
    assert.equal(a, b);
    assert.notEqual(a, c);
  });

  it('take no row when the memory is used up, and again one for the next points', () => {
    const results = new ValueResults(['sensor_data_value > 30']);
    const points = Array.from({ length: 30_000 }, (_, value) => pointOf(1, String(value)));
    const rows = results.rowsOf(points, TYPES) ?? [];
    assert.ok(rows[0]);
    assert.equal(rows.at(-1), undefined);
    assert.equal(results.of('sensor_data_value > 30')?.isTrue(undefined, '29999', 'float'), true);
    assert.ok(results.rowsOf(points.slice(-1), TYPES)?.[0]);
  });
});

function pointOf(sensorId: number, value: string) {
  return { sensorId, value, dateMs: 0 };
}
