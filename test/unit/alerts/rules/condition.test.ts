import assert from 'node:assert/strict';
import { decideOnConditionDue, decideOnTrue, isDueBefore } from '../../../../src/alerts/rules/condition';
import { PRESENT_MS } from '../../../../src/points/data-points/evaluated-points';
import { buildState } from './trigger-states';

const NOW = 1_795_229_544_000;
const PENDING = { pendingSinceMs: NOW - 120_000, conditionDueMs: NOW, lastValue: '31', lastDateMs: NOW - 120_000 };

describe('the condition of a trigger by the clock', () => {
  it('is decided when its time has come, and not before', () => {
    assert.equal(decideOnConditionDue(buildState(PENDING), { nowMs: NOW - 1 }).decision, null);
    const { decision, state } = decideOnConditionDue(buildState(PENDING), { nowMs: NOW });
    assert.deepEqual([decision?.reason, state.conditionDueMs, state.pendingSinceMs], ['fired', null, null]);
  });

  it('waits for the minute if an inactivity has fired the trigger meanwhile', () => {
    const before = buildState({ ...PENDING, lastTriggeredMs: NOW - 20_000 });
    const { decision, state } = decideOnConditionDue(before, { nowMs: NOW });
    assert.deepEqual([decision?.reason, state.conditionDueMs], ['once-a-minute', NOW + 40_000]);
    assert.equal(decideOnConditionDue(state, { nowMs: NOW + 40_000 }).decision?.fire, true);
  });

  it('waits for the minute after a firing, if that is over later than the hold', () => {
    const before = buildState({ lastTriggeredMs: NOW - 20_000 });
    const point = { value: '31', dateMs: NOW, receivedMs: NOW };
    const { state } = decideOnTrue({ hold: 0 }, before, before, point, { nowMs: NOW });
    assert.equal(state.conditionDueMs, NOW + 40_000);
  });

  it('counts from the date of a point that is up to a minute old, and from the arrival of an older one', () => {
    const dueAfter = (ageMs: number) => {
      const point = { value: '31', dateMs: NOW - ageMs, receivedMs: NOW };
      const { state } = decideOnTrue({ hold: 600 }, buildState(), buildState(), point, { nowMs: NOW });
      return (state.conditionDueMs ?? 0) - NOW;
    };
    assert.equal(dueAfter(PRESENT_MS), 540_000);
    assert.equal(dueAfter(PRESENT_MS + 1), 600_000);
  });

  it('comes before a point that arrived later, and not before one of the same moment', () => {
    const state = buildState({ conditionDueMs: NOW });
    assert.equal(isDueBefore(state, { value: '1', dateMs: NOW + 1, receivedMs: NOW + 1 }), true);
    assert.equal(isDueBefore(state, { value: '1', dateMs: NOW, receivedMs: NOW + 1 }), false);
  });

  it('forgets a time that a worker of the release before has left behind', () => {
    const stale = buildState({ conditionDueMs: NOW });
    assert.deepEqual(decideOnConditionDue(stale, { nowMs: NOW }), { decision: null, state: buildState() });
  });
});
