import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toUnixSeconds, toUnixSecondsOrNull } from '../../../src/views/unix-seconds';

describe('unix seconds', () => {
  it('show every millisecond with 3 decimals at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (ms) => {
        const text = String(toUnixSeconds(ms));
        assert.match(text, /^\d+(\.\d{1,3})?$/);
        assert.equal(Math.round(Number(text) * 1000), ms);
      }),
    );
  });

  it('stay null when there is no instant', () => {
    assert.equal(toUnixSecondsOrNull(null), null);
    assert.equal(toUnixSecondsOrNull(1500), 1.5);
  });
});
