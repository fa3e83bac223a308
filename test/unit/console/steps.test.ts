import assert from 'node:assert/strict';
import { reachOf, roundTo, stepOf } from '../../../console/src/chart/steps';

describe('the steps of a number on a chart', () => {
  it('are powers of ten, and leave no noise', () => {
    assert.deepEqual([0.25, 1, 7, 120].map(stepOf), [0.1, 1, 1, 100]);
    assert.equal(roundTo(30.26, 0.1), 30.3);
    assert.equal(roundTo(0.1 + 0.2, 0.1), 0.3);
    assert.equal(roundTo(-7, 10), -10);
  });

  it('are on a scale with the data, and with bounds near the data', () => {
    assert.deepEqual(reachOf(20, 25, []), [20, 25]);
    assert.deepEqual(reachOf(20, 25, [18, 40]), [18, 40]);
    assert.deepEqual(reachOf(20, 25, [3000]), [20, 25]);
    assert.deepEqual(reachOf(20, 20, [30]), [20, 30]);
    assert.deepEqual(reachOf(0, 0, [3]), [0, 3]);
  });
});
