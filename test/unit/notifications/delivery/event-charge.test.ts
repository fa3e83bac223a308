import assert from 'node:assert/strict';
import {
  type Charged,
  chargeDelivery,
  type EventCharge,
  endOfMinute,
} from '../../../../src/notifications/delivery/event-charge';

describe('charging deliveries of events', () => {
  const START_MS = 1_000_000;

  const charge = (times: number, nowMs: number, from?: EventCharge) => {
    let current = from;
    const outcomes: Charged[] = [];
    for (let index = 1; index <= times; index += 1) {
      const next = chargeDelivery(current, `id ${index}`, nowMs);
      current = next.charge;
      outcomes.push(next.charged);
    }
    return { current, outcomes };
  };

  it('lets 60 a minute go out, makes the next one the summary and counts the others in it', () => {
    const { current, outcomes } = charge(63, START_MS);
    assert.deepEqual(outcomes.slice(0, 60), Array(60).fill('sent'));
    assert.deepEqual(outcomes.slice(60), ['summary', 'counted', 'counted']);
    assert.deepEqual(current, { startedMs: START_MS, sent: 60, held: 3, summaryId: 'id 61' });
    assert.equal(current && endOfMinute(current), START_MS + 60_000);
  });

  it('begins a new minute with the first delivery after one, and not before', () => {
    const { current } = charge(61, START_MS);
    assert.deepEqual(charge(1, START_MS + 59_999, current).outcomes, ['counted']);
    const later = charge(1, START_MS + 60_000, current);
    assert.deepEqual(later.outcomes, ['sent']);
    assert.deepEqual(later.current, { startedMs: START_MS + 60_000, sent: 1, held: 0, summaryId: null });
  });
});
