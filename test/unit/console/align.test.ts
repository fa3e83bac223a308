import assert from 'node:assert/strict';
import { roomAfter, roomBefore } from '../../../console/src/ui/align';

describe('numbers in a column', () => {
  it('have room after them, so that the decimal points of a unit are in a line', () => {
    const column = [
      { value: '−18.25', unit: '°C' },
      { value: '−19', unit: '°C' },
      { value: '−9.5', unit: '°C' },
      { value: '1,234', unit: 'ppm' },
      { value: 'waiting', unit: '' },
      { value: '', unit: '' },
    ];
    assert.deepEqual(roomAfter(column), [0, 2.5, 1, 0, 0, 0]);
  });

  it('have room before them where they begin at a line', () => {
    assert.deepEqual(roomBefore(['−18.25', '9', '1000.5', 'open', '1.25e-7']), [1, 3, 0, 0, 0]);
    assert.deepEqual(roomBefore([]), []);
  });
});
