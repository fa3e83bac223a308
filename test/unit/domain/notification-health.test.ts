import assert from 'node:assert/strict';
import type { AttemptOutcome } from '../../../src/domain/delivery-schedule';
import { GIVE_UP_AFTER_MS, judgeNotification } from '../../../src/domain/notification-health';

const well: AttemptOutcome = { kind: 'delivered', statusCode: 200 };
const later: AttemptOutcome = { kind: 'retry-later', reason: 'timed out' };
const never: AttemptOutcome = { kind: 'refused', reason: 'gone', statusCode: 410 };
const ours: AttemptOutcome = { kind: 'retry-later', reason: 'connection refused', ours: true };

describe('judgeNotification', () => {
  const since = 1_000;
  const cases: [string, Parameters<typeof judgeNotification>, string][] = [
    ['has nothing to say of what arrives as always', [well, 'delivered', null, since], 'none'],
    ['notes that something arrives again', [well, 'delivered', since, since], 'recovered'],
    ['notes that something arrives again, however late', [well, 'delivered', since, since * 1e9], 'recovered'],
    ['notes the first failure', [later, 'pending', null, since], 'began-to-fail'],
    ['notes the first failure when it is the last, too', [never, 'failed', null, since], 'began-to-fail'],
    ['waits for five days', [never, 'failed', since, since + GIVE_UP_AFTER_MS - 1], 'none'],
    ['gives up after five days', [never, 'failed', since, since + GIVE_UP_AFTER_MS], 'give-up'],
    ['gives up at the last attempt only', [later, 'pending', since, since + GIVE_UP_AFTER_MS], 'none'],
    ['does not count what is our own fault', [ours, 'failed', since, since + GIVE_UP_AFTER_MS], 'none'],
    ['does not begin to count at what is our own fault', [ours, 'pending', null, since], 'none'],
  ];
  for (const [sentence, args, expected] of cases) {
    it(sentence, () => assert.equal(judgeNotification(...args), expected));
  }
});
