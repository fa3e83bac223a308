import assert from 'node:assert/strict';
import type { AttemptOutcome } from '../../../../src/notifications/delivery/delivery-schedule';
import {
  GIVE_UP_AFTER_MS,
  judgeNotification,
  WARN_AFTER_MS,
} from '../../../../src/notifications/notifications/notification-health';

const well: AttemptOutcome = { kind: 'delivered', statusCode: 200 };
const later: AttemptOutcome = { kind: 'retry-later', reason: 'timed out' };
const never: AttemptOutcome = { kind: 'refused', reason: 'gone', statusCode: 410 };
const ours: AttemptOutcome = { kind: 'retry-later', reason: 'connection refused', ours: true };

describe('judgeNotification', () => {
  const since = 1_000;
  const fresh = { failingSinceMs: null, warnedMs: null };
  const failing = { failingSinceMs: since, warnedMs: since };
  const unwarned = { failingSinceMs: since, warnedMs: null };
  const warnedBefore = { failingSinceMs: since, warnedMs: since - 1 };
  const cases: [string, Parameters<typeof judgeNotification>, string][] = [
    ['ignores a delivery without earlier failures', [well, 'delivered', fresh, since], 'none'],
    ['records a recovery', [well, 'delivered', failing, since], 'recovered'],
    ['records a recovery, however late', [well, 'delivered', failing, since * 1e9], 'recovered'],
    ['records the first failure', [later, 'pending', fresh, since], 'began-to-fail'],
    ['records the first failure when it is also the last attempt', [never, 'failed', fresh, since], 'began-to-fail'],
    ['waits for five days', [never, 'failed', failing, since + GIVE_UP_AFTER_MS - 1], 'none'],
    ['gives up after five days', [never, 'failed', failing, since + GIVE_UP_AFTER_MS], 'give-up'],
    ['warns half-way', [later, 'pending', unwarned, since + WARN_AFTER_MS], 'half-way'],
    ['does not warn earlier', [never, 'failed', unwarned, since + WARN_AFTER_MS - 1], 'none'],
    ['warns again when it fails again', [never, 'failed', warnedBefore, since + WARN_AFTER_MS], 'half-way'],
    ['warns once', [never, 'failed', failing, since + WARN_AFTER_MS], 'none'],
    ['does not warn of failures of the platform', [ours, 'failed', unwarned, since + WARN_AFTER_MS], 'none'],
    ['gives up without a warning if there was none', [never, 'failed', unwarned, since + GIVE_UP_AFTER_MS], 'give-up'],
    ['gives up only at the last attempt', [later, 'pending', failing, since + GIVE_UP_AFTER_MS], 'none'],
    ['does not count failures of the platform', [ours, 'failed', failing, since + GIVE_UP_AFTER_MS], 'none'],
    ['does not begin to count with a failure of the platform', [ours, 'pending', fresh, since], 'none'],
  ];
  for (const [sentence, args, expected] of cases) {
    it(sentence, () => assert.equal(judgeNotification(...args), expected));
  }
});
