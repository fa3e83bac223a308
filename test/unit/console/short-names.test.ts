import assert from 'node:assert/strict';
import { shortNames } from '../../../console/src/dashboards/short-names';

describe('the names in a small legend', () => {
  const cases: [names: string[], short: string[]][] = [
    [
      ['Walk-in freezer S16 behind the ramp', 'Walk-in freezer S17 behind the ramp'],
      ['S16', 'S17'],
    ],
    [
      ['Freezer of the butcher', 'Freezer of the baker upstairs'],
      ['butcher', 'baker upstairs'],
    ],
    [
      ['Cold room of the shop', 'Cold room of the shop'],
      ['Cold room of the shop', 'Cold room of the shop'],
    ],
    [
      ['Freezer 1', 'Freezer 2'],
      ['Freezer 1', 'Freezer 2'],
    ],
    [['Freezer of the butcher upstairs'], ['Freezer of the butcher upstairs']],
    [
      ['Freezer of the butcher', 'Oven of the butcher'],
      ['Freezer of the butcher', 'Oven of the butcher'],
    ],
    [
      ['Oven', 'Freezer of the butcher S1', 'Freezer of the butcher S2'],
      ['Oven', 'S1', 'S2'],
    ],
  ];
  for (const [names, short] of cases) {
    it(`of ${names.join(', ')} are ${short.join(', ')}`, () => assert.deepEqual(shortNames(names), short));
  }
});
