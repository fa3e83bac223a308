import assert from 'node:assert/strict';
import { computeWindow } from '../../../../src/language/windows/window-functions';

describe('the sum of a window', () => {
  const compute = (numbers: number[]) => {
    const dates = numbers.map((_, index) => index * 1_000);
    const column = { numbers, texts: undefined };
    const part = { dates, column, start: 0, end: numbers.length };
    return computeWindow({ name: 'sum_over_time', seconds: 60, parameter: 0 }, Object(part), 60_000);
  };

  it('loses no small number next to large ones', () => {
    assert.equal(compute([1, 1e100, 1, -1e100]), 2);
  });
});
