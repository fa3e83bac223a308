import assert from 'node:assert/strict';
import { sampleValue } from '../../../src/language/sample-value';

describe('the sample of a sensor without a value', () => {
  const cases: [dataType: string, dataStructure: string, expected: string][] = [
    ['float', '', '21.5'],
    ['float', '{"unit":"°C"}', '21.5'],
    ['', '', '21.5'],
    ['Integer', '', '22'],
    ['boolean', '', 'true'],
    ['string', '', 'sample'],
    ['json', '', '{}'],
    ['json', 'not JSON', '{}'],
    [
      'json',
      '{"lux":"integer","door":{"type":"boolean"},"celsius":"float","x":5}',
      '{"lux":22,"door":true,"celsius":21.5,"x":21.5}',
    ],
  ];
  for (const [dataType, dataStructure, expected] of cases) {
    it(`is ${expected} with the type "${dataType}" and the structure ${dataStructure || 'unknown'}`, () => {
      assert.equal(sampleValue({ dataType, dataStructure }), expected);
    });
  }
});
