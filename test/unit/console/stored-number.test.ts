import assert from 'node:assert/strict';
import { formatStored } from '../../../console/src/stored-number';

describe('a stored number in the console', () => {
  const cases: [number, string][] = [
    [20.123, '20.123'],
    [1031.25, '1,031.25'],
    [31.200000762939453, '31.2'],
    [-0.10000000149011612, '-0.1'],
    [0.1, '0.1'],
    [123456.789012, '123,456.789012'],
    [0, '0'],
  ];
  for (const [number, shown] of cases) {
    it(`${number} is shown as ${shown}`, () => assert.equal(formatStored(number), shown));
  }
});
