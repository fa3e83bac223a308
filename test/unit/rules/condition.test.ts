import assert from 'node:assert/strict';
import { decideOnConditionDue } from '../../../src/rules/condition';
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

  it('forgets a time that a worker of the release before has left behind', () => {
    const stale = buildState({ conditionDueMs: NOW });
    assert.deepEqual(decideOnConditionDue(stale, { nowMs: NOW }), { decision: null, state: buildState() });
  });
});
