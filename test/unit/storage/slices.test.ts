import assert from 'node:assert/strict';
import fc from 'fast-check';
import { slices } from '../../../src/storage/slices';

describe('slices', () => {
  it('keep the order of all rows, and fit into a statement unless they have a single row', () => {
    const row = fc.tuple(
      fc.nat(),
      fc.constantFrom('', 'x', 'x'.repeat(60_000), 'x'.repeat(700_000)),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 3_000, size: 'max' }), (rows) => {
        const cut = [...slices(rows)];
        assert.deepEqual(cut.flat(), rows);
        for (const slice of cut) {
          assert.ok(slice.length > 0 && slice.length <= 1_000);
          assert.ok(slice.length === 1 || slice.reduce((sum, [, text]) => sum + text.length, 0) <= 2_000_000);
        }
      }),
      { numRuns: 30 },
    );
  });
});
