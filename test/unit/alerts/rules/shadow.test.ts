import assert from 'node:assert/strict';
import { stateAtStart } from '../../../../src/alerts/rules/backtest';
import {
  decodeShadow,
  encodeShadow,
  followLive,
  shadowAtStart,
  shadowDueMs,
  switchedState,
} from '../../../../src/alerts/rules/shadow';
import { ruleOf } from '../../../../src/alerts/rules/trigger-rule';
import type { TriggerState } from '../../../../src/alerts/rules/trigger-state';

const NOW = 1_767_700_000_000;
const RULE = ruleOf({ expression: 'sensor_data_value > 30', inactivity: 60 });
const OK: TriggerState = { ...stateAtStart(RULE, NOW - 10_000), lastValue: '31', lastDateMs: NOW };
const episode = (beganMs: number, isAcknowledged = false) => {
  return { beganMs, firedMs: beganMs, isAcknowledged, isAnnounced: true };
};
const FIRING: TriggerState = { ...OK, episode: episode(NOW - 5_000), lastTriggeredMs: NOW - 5_000, timesTriggered: 1 };
const live = (state: TriggerState, version = 1) => ({ state, version });
const begun = (state: TriggerState) =>
  shadowAtStart(live(state), { before: RULE, after: RULE }, { nowMs: NOW, outages: [] });

describe('a shadow and its live trigger', () => {
  it('are in the same state at the beginning, if the rule is the same', () => {
    for (const state of [OK, FIRING]) {
      const { state: own, ends } = followLive(begun(state), live(state), RULE, NOW);
      assert.deepEqual([own, ends], [state, []]);
    }
  });

  it('are acknowledged together, once', () => {
    const acknowledged = { ...FIRING, episode: episode(NOW - 5_000, true) };
    const { state } = followLive(begun(FIRING), live(acknowledged), RULE, NOW);
    assert.equal(state.episode?.isAcknowledged, true);
    const known = decodeShadow(encodeShadow({ ...state, episode: episode(NOW) }, live(acknowledged), 0));
    assert.equal(followLive(known, live(acknowledged), RULE, NOW).state.episode?.isAcknowledged, false);
  });

  it('end together by hand, but not by an edit of the rule', () => {
    const { state, ends } = followLive(begun(FIRING), live(OK), RULE, NOW);
    assert.deepEqual([state.episode, ends], [null, [{ cause: 'expression', beganMs: NOW - 5_000 }]]);
    assert.deepEqual(followLive(begun(FIRING), live(OK, 2), RULE, NOW).ends, []);
  });

  it('have last values of their own only where one of both keeps the last place', () => {
    const own = { ...OK, lastValue: '40' };
    const lastOf = (hasOwnLast: boolean) => {
      const known = decodeShadow(encodeShadow(own, live(OK), 0, hasOwnLast));
      return [
        followLive(known, live(OK), RULE, NOW).state.lastValue,
        switchedState(OK, known, RULE, NOW).state.lastValue,
      ];
    };
    assert.deepEqual(lastOf(true), ['40', '40']);
    assert.deepEqual(lastOf(false), ['31', '31']);
  });

  it('have the numbers of firings that people set', () => {
    const { state } = followLive(begun(FIRING), live({ ...FIRING, lastTriggeredMs: 0 }), RULE, NOW);
    assert.deepEqual([state.lastTriggeredMs, state.timesTriggered], [0, 1]);
  });

  it('are due at the first time of the clock', () => {
    assert.equal(shadowDueMs({ ...OK, conditionDueMs: NOW }), NOW);
    assert.equal(shadowDueMs({ ...OK, dueAtMs: null, conditionDueMs: null }), Number.MAX_SAFE_INTEGER);
  });
});

describe('a switch to a shadow', () => {
  const switched = (one: TriggerState, shadow: TriggerState) => switchedState(one, { state: { ...shadow } }, RULE, NOW);

  it('keeps the identity of an episode that is open in both', () => {
    const { state, ends, fires } = switched(FIRING, { ...FIRING, episode: episode(NOW - 9_000), clearSinceMs: NOW });
    assert.deepEqual([state.episode?.beganMs, state.clearSinceMs, ends, fires], [NOW - 5_000, NOW, [], 0]);
  });

  it('ends what is open live alone, and is due for what is open in the shadow alone', () => {
    assert.deepEqual(switched(FIRING, OK).ends, ['expression']);
    const { state, fires } = switched(OK, FIRING);
    assert.deepEqual([state.episode, state.pendingSinceMs, state.conditionDueMs, fires], [null, NOW, NOW, 1]);
    const quiet = { ...OK, inactivityEpisode: episode(NOW - 1_000), inactiveSinceMs: NOW - 1_000 };
    const inactive = switched(OK, quiet);
    assert.deepEqual([inactive.state.inactiveSinceMs, inactive.state.dueAtMs, inactive.fires], [NOW - 61_000, NOW, 1]);
  });

  it('fires nothing whose condition is over', () => {
    const { state, fires } = switched(OK, { ...FIRING, clearSinceMs: NOW - 1_000, conditionDueMs: NOW + 1_000 });
    assert.deepEqual([state.clearSinceMs, state.conditionDueMs, state.pendingSinceMs, fires], [null, null, null, 0]);
  });

  it('goes on with what is pending in the shadow', () => {
    const pending = { ...OK, pendingSinceMs: NOW - 7_000, conditionDueMs: NOW + 3_000 };
    const { state } = switched({ ...OK, pendingSinceMs: NOW }, pending);
    assert.deepEqual([state.pendingSinceMs, state.conditionDueMs], [NOW - 7_000, NOW + 3_000]);
  });
});
