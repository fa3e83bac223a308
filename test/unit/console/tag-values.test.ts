import assert from 'node:assert/strict';
import { readValues } from '../../../console/src/pages/sensors/tag-values';

describe('the typed values of a metatag', () => {
  const cases: [typed: string, values: string[]][] = [
    ['8', ['8']],
    ['8,5', ['8.5']],
    ['-18,5, 3', ['-18.5', '3']],
    ['1, 2', ['1', '2']],
    ['a,b , c', ['a', 'b', 'c']],
    ['floor 1,floor 2', ['floor 1', 'floor 2']],
    ['007', ['007']],
    ['−3', ['-3']],
    [' , ', []],
    ['', []],
  ];
  for (const [typed, values] of cases) {
    it(`are ${JSON.stringify(values)} in “${typed}”`, () => assert.deepEqual(readValues(typed), values));
  }
});
