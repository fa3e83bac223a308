import assert from 'node:assert/strict';
import { outcomeOfStatus, readRetryAfter } from '../../../../../src/notifications/delivery/channels/http-outcome';

describe('the outcome of an HTTP status', () => {
  it('allows three attempts where the receiver rejects the delivery itself, and all attempts otherwise', () => {
    const maxAttempts = (status: number) => {
      const outcome = outcomeOfStatus(status);
      return outcome.kind === 'retry-later' ? outcome.maxAttempts : outcome.kind;
    };
    for (const status of [400, 401, 404, 422]) assert.equal(maxAttempts(status), 3, String(status));
    for (const status of [302, 408, 425, 429, 500, 503]) assert.equal(maxAttempts(status), undefined, String(status));
    assert.deepEqual([200, 204, 410].map(maxAttempts), ['delivered', 'delivered', 'refused']);
  });

  it('waits for the seconds or the date in Retry-After, and ignores anything else', () => {
    const nowMs = Date.parse('2026-11-21T10:00:00Z');
    assert.equal(readRetryAfter('120', nowMs), 120_000);
    assert.equal(readRetryAfter('Sat, 21 Nov 2026 10:01:00 GMT', nowMs), 60_000);
    assert.equal(readRetryAfter('Sat, 21 Nov 2026 09:00:00 GMT', nowMs), 0);
    for (const header of [undefined, '', 'soon', '-1e3x']) assert.equal(readRetryAfter(header, nowMs), undefined);
  });
});
