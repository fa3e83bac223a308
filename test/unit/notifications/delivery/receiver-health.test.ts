import assert from 'node:assert/strict';
import type { AttemptOutcome } from '../../../../src/notifications/delivery/delivery-schedule';
import { isReceiverFailure } from '../../../../src/notifications/delivery/leases';

describe('isReceiverFailure', () => {
  const status = (statusCode: number): AttemptOutcome => ({ kind: 'retry-later', reason: '', statusCode });
  const cases: [string, string, AttemptOutcome, number, boolean][] = [
    ['accepts at once', 'url', { kind: 'delivered', statusCode: 200 }, 50, false],
    ['accepts slowly', 'url', { kind: 'delivered', statusCode: 200 }, 3_000, true],
    ['times out', 'url', { kind: 'retry-later', reason: 'timed out' }, 10_000, true],
    ['cannot be reached', 'url', { kind: 'retry-later', reason: 'connection refused' }, 1, true],
    ['is overloaded', 'url', status(503), 1, true],
    ['asks for fewer requests', 'url', status(429), 1, true],
    ['does not know this path', 'url', status(404), 1, false],
    ['is gone', 'url', { kind: 'refused', reason: '', statusCode: 410 }, 1, false],
    ['knows no such mailbox', 'email', { kind: 'refused', reason: '', statusCode: 550 }, 1, false],
    ['accepts no mail for this mailbox now', 'email', { kind: 'retry-later', reason: '' }, 1, false],
    ['is a mail server that is away', 'email', { kind: 'retry-later', reason: '', ours: true }, 1, true],
  ];
  for (const [behaviour, type, outcome, durationMs, expected] of cases) {
    it(`is ${expected} when a receiver ${behaviour}`, () =>
      assert.equal(isReceiverFailure(type, { outcome, durationMs }), expected));
  }
});
