import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toUnixSeconds, toUnixSecondsOrNull } from '../../../src/edge/dates';

describe('unix seconds', () => {
  it('have at most 3 decimals, for milliseconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (ms) => {
        const text = String(toUnixSeconds(ms));
        assert.match(text, /^\d+(\.\d{1,3})?$/);
        assert.equal(Math.round(Number(text) * 1000), ms);
      }),
    );
  });

  it('are null without a time', () => {
    assert.equal(toUnixSecondsOrNull(null), null);
    assert.equal(toUnixSecondsOrNull(1500), 1.5);
  });
});
