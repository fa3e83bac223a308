import assert from 'node:assert/strict';
import { dayOfColumn, gridOf, kindOf } from '../../../console/src/chart/heat-grid';
import type { Line } from '../../../console/src/chart/shape';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const MONDAY = 1;
/** Unix seconds of a local time. */
const at = (day: number, hour = 0) => new Date(2026, 10, day, hour).getTime() / 1000;
const lineOf = (dates: number[], values: (number | null)[] = dates.map((_, index) => index)): Line => {
  return { name: 'x', field: '', unit: '', sensorId: '1', at: 0, dates, values };
};

describe('the cells of a heat map', () => {
  it('are the hours of each day for a range up to two months', () => {
    const dates = [at(23, 0), at(23, 23), at(25, 13)];
    const grid = gridOf(lineOf(dates), { from: at(23, 0), to: at(25, 20) }, MONDAY);
    assert.deepEqual([grid.kind, grid.columns, grid.rows], ['hours', 3, 24]);
    assert.deepEqual(
      grid.cells.map(({ column, row, value }) => [column, row, value]),
      [
        [0, 0, 0],
        [0, 23, 1],
        [2, 13, 2],
      ],
    );
    assert.deepEqual([grid.cells[2]?.from, grid.cells[2]?.to], [at(25, 13), at(25, 14)]);
    assert.equal(dayOfColumn(grid, 2).getDate(), 25);
  });

  it('are the days of weeks for a longer range, from the first day of the week on', () => {
    // 1 November 2026 is a Sunday.
    const range = { from: at(1), to: at(1) + 100 * DAY };
    const grid = gridOf(lineOf([at(1), at(2), at(9)]), range, MONDAY);
    assert.deepEqual([grid.kind, grid.rows], ['days', 7]);
    const places = grid.cells.map(({ column, row }) => [column, row]);
    assert.deepEqual(places, [
      [0, 6],
      [1, 0],
      [2, 0],
    ]);
    assert.deepEqual(gridOf(lineOf([at(1)]), range, 0).cells[0]?.row, 0, 'weeks that begin on Sunday');
    assert.equal(dayOfColumn(grid, 1).getDate(), 2);
  });

  it('have the lowest and the highest number, and are absent where nothing was measured', () => {
    const line = { ...lineOf([at(3), at(3, 1), at(3, 2)], [1, null, 5]), low: [0, null, null], high: [2, null, null] };
    const { cells } = gridOf(line, { from: at(3), to: at(4) }, MONDAY);
    assert.deepEqual(
      cells.map(({ low, value, high }) => [low, value, high]),
      [
        [0, 1, 2],
        [5, 5, 5],
      ],
    );
  });

  it('of the day in which a range begins may be before it, and none is after its end', () => {
    const grid = gridOf(lineOf([at(2, 23), at(3, 1), at(4, 9)]), { from: at(3, 12), to: at(4, 8) }, MONDAY);
    assert.deepEqual(
      grid.cells.map(({ column, row }) => [column, row]),
      [[0, 1]],
    );
    assert.equal(kindOf({ from: 0, to: 62 * DAY }), 'hours');
    assert.equal(kindOf({ from: 0, to: 62 * DAY + 1 }), 'days');
  });
});
