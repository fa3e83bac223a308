import assert from 'node:assert/strict';
import type { AttemptOutcome } from '../../../src/rules/delivery-schedule';
import { GIVE_UP_AFTER_MS, judgeNotification } from '../../../src/rules/notification-health';

const well: AttemptOutcome = { kind: 'delivered', statusCode: 200 };
const later: AttemptOutcome = { kind: 'retry-later', reason: 'timed out' };
const never: AttemptOutcome = { kind: 'refused', reason: 'gone', statusCode: 410 };
const ours: AttemptOutcome = { kind: 'retry-later', reason: 'connection refused', ours: true };

describe('judgeNotification', () => {
  const since = 1_000;
  const cases: [string, Parameters<typeof judgeNotification>, string][] = [
    ['ignores a delivery without earlier failures', [well, 'delivered', null, since], 'none'],
    ['records a recovery', [well, 'delivered', since, since], 'recovered'],
    ['records a recovery, however late', [well, 'delivered', since, since * 1e9], 'recovered'],
    ['records the first failure', [later, 'pending', null, since], 'began-to-fail'],
    ['records the first failure when it is also the last attempt', [never, 'failed', null, since], 'began-to-fail'],
    ['waits for five days', [never, 'failed', since, since + GIVE_UP_AFTER_MS - 1], 'none'],
    ['gives up after five days', [never, 'failed', since, since + GIVE_UP_AFTER_MS], 'give-up'],
    ['gives up only at the last attempt', [later, 'pending', since, since + GIVE_UP_AFTER_MS], 'none'],
    ['does not count failures of the platform', [ours, 'failed', since, since + GIVE_UP_AFTER_MS], 'none'],
    ['does not begin to count with a failure of the platform', [ours, 'pending', null, since], 'none'],
  ];
  for (const [sentence, args, expected] of cases) {
    it(sentence, () => assert.equal(judgeNotification(...args), expected));
  }
});
