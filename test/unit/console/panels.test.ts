import assert from 'node:assert/strict';
import { panelsOf } from '../../../console/src/chart/panels';
import { type Line, shapesOfAll } from '../../../console/src/chart/shape';
import { rangeUnder } from '../../../console/src/chart/touch';

const line = (field: string, unit: string, ...values: (number | null)[]): Line => {
  return { name: field, field, unit, sensorId: '1', at: 0, dates: values.map((_, at) => at), values };
};
const fieldsOf = (...lines: Line[]) => panelsOf(lines).map((panel) => panel.lines.map(({ field }) => field).join());

describe('the panels of a chart', () => {
  it('hold the lines of one unit each, in the order of the lines', () => {
    const lines = [line('t', '°C', 21), line('co2', 'ppm', 921), line('outside', '°C', -12), line('h', '%', 45)];
    assert.deepEqual(fieldsOf(...lines), ['t,outside', 'co2', 'h']);
  });

  it('share a unit whatever the size of the numbers is', () => {
    assert.deepEqual(fieldsOf(line('a', 'W', 3), line('b', 'W', 9_000)), ['a,b']);
  });

  it('do not put a line without a unit where a larger one would flatten it', () => {
    const lines = [line('temperature', '', 21), line('pressure', '', 1013), line('humidity', '', 60)];
    assert.deepEqual(fieldsOf(...lines), ['temperature,humidity', 'pressure']);
    assert.deepEqual(fieldsOf(line('x', '', -100), line('y', '', null, 1)), ['x', 'y']);
  });

  it('put a line of zeros, or without any number, next to the first one', () => {
    assert.deepEqual(fieldsOf(line('a', '', 1013), line('zero', '', 0, 0), line('none', '', null)), ['a,zero,none']);
  });

  it('take the unit of a value, or that of each field', () => {
    const sensors = [
      { id: '1', name: 'freezer', unit: '°C' },
      { id: '2', name: 'greenhouse', unit: 'x', field_units: { 'air.t': '°C' } },
    ];
    const points = new Map([
      ['1', { dates: [1], values: ['-18'], interval: 0 }],
      ['2', { dates: [1], values: ['{"air":{"t":20},"h":40}'], interval: 0 }],
    ]);
    const { lines } = shapesOfAll(sensors, points);
    assert.deepEqual(
      lines.map(({ name, unit, at }) => [name, unit, at]),
      [
        ['freezer', '°C', 0],
        ['greenhouse: air.t', '°C', 1],
        ['greenhouse: h', '', 2],
      ],
    );
  });
});

describe('a chart under fingers', () => {
  const range = { from: 0, to: 100 };

  it('moves with one, and keeps its length', () => {
    const grip = { range, dates: [50], places: [0.5] };
    assert.deepEqual(rangeUnder(grip, [0.3]), { from: 20, to: 120 });
  });

  it('keeps the dates under two', () => {
    const grip = { range, dates: [40, 60], places: [0.4, 0.6] };
    assert.deepEqual(rangeUnder(grip, [0.3, 0.7]), { from: 25, to: 75 });
    const { from, to } = rangeUnder({ range, dates: [20, 80], places: [0.2, 0.8] }, [0.4, 0.6]);
    assert.deepEqual([Math.round(from), Math.round(to)], [-100, 200]);
  });

  it('does not zoom without limit when the fingers meet', () => {
    assert.equal(rangeUnder({ range, dates: [40, 60], places: [0.4, 0.6] }, [0.5, 0.5]).to, 90);
  });
});
