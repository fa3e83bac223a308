import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type AttemptOutcome,
  nextAttempt,
  type RetryLater,
} from '../../../../src/notifications/delivery/delivery-schedule';

const later = (more: Partial<RetryLater> = {}): AttemptOutcome => ({
  kind: 'retry-later',
  reason: 'no answer',
  ...more,
});
const failed = { status: 'failed' };

describe('nextAttempt', () => {
  it('ends with a delivery, and with a refusal', () => {
    assert.deepEqual(
      nextAttempt({ kind: 'delivered', statusCode: 200 }, 1, 0, () => 0),
      { status: 'delivered' },
    );
    assert.deepEqual(
      nextAttempt({ kind: 'refused', reason: 'gone', statusCode: 410 }, 1, 0, () => 0),
      failed,
    );
  });

  it('retries after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 8 h and 16 h, then gives up', () => {
    const seconds = [5, 30, 120, 600, 1800, 3600, 10_800, 28_800, 57_600];
    seconds.forEach((delay, i) => {
      assert.deepEqual(
        nextAttempt(later(), i + 1, 7, () => 0),
        { status: 'pending', nextAttemptMs: 7 + delay * 1000 },
      );
    });
    assert.deepEqual(
      nextAttempt(later(), 10, 7, () => 0),
      failed,
    );
  });

  it('gives up after the number of attempts that the outcome allows', () => {
    const outcome = later({ statusCode: 400, maxAttempts: 3 });
    assert.equal(nextAttempt(outcome, 2, 0, () => 0).status, 'pending');
    assert.deepEqual(
      nextAttempt(outcome, 3, 0, () => 0),
      failed,
    );
    assert.equal(nextAttempt(later({ statusCode: 400 }), 3, 0, () => 0).status, 'pending');
  });

  it('waits as long as requested, but at most a day and never less than the schedule', () => {
    const next = (retryAfterMs: number) => nextAttempt(later({ statusCode: 429, retryAfterMs }), 1, 0, () => 0);
    assert.deepEqual(next(1_000), { status: 'pending', nextAttemptMs: 5_000 });
    assert.deepEqual(next(60_000), { status: 'pending', nextAttemptMs: 60_000 });
    assert.deepEqual(next(9e15), { status: 'pending', nextAttemptMs: 86_400_000 });
  });

  it('spreads retries: adds up to a tenth of the delay, by the random number', () => {
    const jittered = (random: number) => nextAttempt(later(), 1, 0, () => random);
    assert.deepEqual(jittered(1), { status: 'pending', nextAttemptMs: 5_500 });
    assert.deepEqual(jittered(0.5), { status: 'pending', nextAttemptMs: 5_250 });
  });

  it('never comes before the moment that a receiver asks for', () => {
    const outcome = later({ statusCode: 429, retryAfterMs: 60_000.2 });
    assert.deepEqual(
      nextAttempt(outcome, 1, 0, () => 0),
      { status: 'pending', nextAttemptMs: 60_001 },
    );
  });

  it('adds at most a tenth to a delay and subtracts nothing', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 9 }), (random, attempts) => {
        const plain = nextAttempt(later(), attempts, 0, () => 0);
        const jittered = nextAttempt(later(), attempts, 0, () => random);
        assert.ok(plain.status === 'pending' && jittered.status === 'pending');
        assert.ok(Number.isInteger(jittered.nextAttemptMs));
        assert.ok(jittered.nextAttemptMs >= plain.nextAttemptMs);
        assert.ok(jittered.nextAttemptMs <= plain.nextAttemptMs * 1.1);
      }),
    );
  });
});
