import assert from 'node:assert/strict';
import { CATALOGUE } from '../../../src/points/sensor-services';
import { codeIn, readPage, tablesIn } from '../../support/markdown';

const TABLES = tablesIn(readPage('docs/services.md'));

describe('docs/services.md', () => {
  it('lists every service of the catalogue', () => {
    const listed = TABLES[0]?.rows.map((row) => codeIn(row.service)).sort();
    assert.deepEqual(listed, CATALOGUE.map(({ name }) => name).sort());
  });

  for (const { name, methods } of CATALOGUE) {
    it(`describes every method of ${name}, with its parameters`, () => {
      // The two learning services have the same methods.
      const heading = name === 'pose_prediction_service' ? 'state_recognition_service' : name;
      const rows = TABLES.filter((table) => table.heading === heading).flatMap((table) => table.rows);
      const described = rows.filter((row) => row.method !== undefined);
      assert.deepEqual(described.map((row) => codeIn(row.method)).sort(), methods.map((method) => method.name).sort());
      for (const row of described) {
        const method = methods.find((each) => each.name === codeIn(row.method));
        assert.equal(row.parameters !== '', (method?.parameters.length ?? 0) > 0, `the parameters of ${row.method}`);
      }
    });
  }
});
