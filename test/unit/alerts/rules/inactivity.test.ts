import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decideOnInactivityDue, dueAt, type Outage, onArrival } from '../../../../src/alerts/rules/inactivity';
import type { TriggerState } from '../../../../src/alerts/rules/trigger-state';
import { buildState } from './trigger-states';

const T0 = 1_795_229_544_000;
const rule = { inactivity: 100 };

function decide(overrides: Partial<TriggerState>, nowMs: number, outages: Outage[] = [], availableUntilMs = nowMs) {
  return decideOnInactivityDue(rule, buildState(overrides), { nowMs, availableUntilMs, outages });
}

describe('the edges of an inactivity', () => {
  it('are not moved by an arrival at the very moment at which it began, which ends an episode', () => {
    const context = { nowMs: T0 + 1, outages: [] };
    const began = { inactiveSinceMs: T0, dueAtMs: T0 + 100_000 };
    const quiet = buildState(began);
    assert.equal(onArrival(rule, quiet, T0, context), quiet);
    const inactivityEpisode = { beganMs: T0, firedMs: T0, isAcknowledged: false, isAnnounced: true };
    const open = buildState({ ...began, inactivityEpisode });
    assert.deepEqual(onArrival(rule, open, T0, context), { ...quiet, stateSinceMs: T0 + 1 });
    assert.equal(onArrival(rule, open, T0 - 1, context), open);
  });

  it('let the next period begin now if it is over at this moment', () => {
    const { state } = decide({ inactiveSinceMs: T0 }, T0 + 200_000);
    assert.deepEqual([state.inactiveSinceMs, state.dueAtMs], [T0 + 200_000, T0 + 300_000]);
    assert.equal(decide({ inactiveSinceMs: T0 }, T0 + 199_999).state.inactiveSinceMs, T0 + 100_000);
  });
});

describe('dueAt', () => {
  const cases: [string, Outage[], number][] = [
    ['without outages', [], 100_000],
    ['with an outage in the inactivity', [{ fromMs: T0 + 10_000, toMs: T0 + 40_000 }], 130_000],
    ['with an outage before the inactivity', [{ fromMs: T0 - 9_000, toMs: T0 }], 100_000],
    ['with an outage into the inactivity', [{ fromMs: T0 - 9_000, toMs: T0 + 5_000 }], 105_000],
    ['with an outage after the due time', [{ fromMs: T0 + 100_000, toMs: T0 + 200_000 }], 100_000],
    [
      'with overlapping outages in any order',
      [
        { fromMs: T0 + 30_000, toMs: T0 + 60_000 },
        { fromMs: T0 + 20_000, toMs: T0 + 40_000 },
        { fromMs: T0 + 35_000, toMs: T0 + 36_000 },
      ],
      140_000,
    ],
    [
      'with an outage that only counts because of another',
      [
        { fromMs: T0 + 5_000, toMs: T0 + 6_000 },
        { fromMs: T0 + 100_500, toMs: T0 + 110_000 },
      ],
      110_500,
    ],
  ];
  for (const [what, outages, afterMs] of cases) {
    it(`counts available time ${what}`, () => assert.equal(dueAt(T0, 100, outages), T0 + afterMs));
  }

  it('is exactly the time after which the whole period was available', () => {
    const outage = fc
      .tuple(fc.integer({ min: -50, max: 300 }), fc.integer({ min: 0, max: 80 }))
      .map(([from, length]) => ({ fromMs: from * 1000, toMs: (from + length) * 1000 }));
    fc.assert(
      fc.property(fc.array(outage, { maxLength: 8 }), fc.integer({ min: 1, max: 120 }), (outages, period) => {
        const due = dueAt(0, period, outages);
        let available = 0;
        for (let second = 0; second * 1000 < due; second += 1) {
          const at = second * 1000;
          if (!outages.some(({ fromMs, toMs }) => fromMs <= at && at < toMs)) available += 1;
        }
        assert.equal(available, period);
      }),
    );
  });
});

describe('decideOnInactivityDue', () => {
  it('fires at the end of the period, where the next one begins', () => {
    const { decision, state } = decide(
      { inactiveSinceMs: T0, dueAtMs: T0 + 100_000, lastValue: '7', lastDateMs: T0 },
      T0 + 100_700,
    );
    assert.ok(decision.fire);
    assert.equal(decision.reason, 'inactive-sensor');
    assert.equal(decision.variables.sensor_data_value, null);
    assert.equal(decision.variables.last_sensor_data_value, '7');
    assert.equal(decision.variables.times_triggered, 1);
    assert.deepEqual(
      [state.inactiveSinceMs, state.dueAtMs, state.lastTriggeredMs, state.timesTriggered],
      [T0 + 100_000, T0 + 200_000, T0 + 100_700, 1],
    );
  });

  it('is not due earlier, and corrects the due time', () => {
    const { decision, state } = decide({ inactiveSinceMs: T0, dueAtMs: T0 + 100_000 }, T0 + 100_001, [
      { fromMs: T0, toMs: T0 + 50_000 },
    ]);
    assert.deepEqual(decision, { fire: false, reason: 'not-due' });
    assert.equal(state.dueAtMs, T0 + 150_000);
    assert.equal(decide({ inactiveSinceMs: T0 }, T0 + 99_999).decision.reason, 'not-due');
  });

  it('does not fire unless the platform provably accepted data until the due time', () => {
    assert.equal(decide({ inactiveSinceMs: T0 }, T0 + 500_000, [], T0 + 99_999).decision.reason, 'not-due');
    assert.equal(decide({ inactiveSinceMs: T0 }, T0 + 500_000, [], T0 + 100_000).decision.reason, 'inactive-sensor');
  });

  it('fires once after a long pause, and then begins a new period', () => {
    const { state } = decide({ inactiveSinceMs: T0 }, T0 + 100_000_000);
    assert.deepEqual([state.inactiveSinceMs, state.dueAtMs], [T0 + 100_000_000, T0 + 100_100_000]);
  });

  it('is postponed to the end of the minute after another firing', () => {
    const { decision, state } = decide({ inactiveSinceMs: T0, lastTriggeredMs: T0 + 70_000 }, T0 + 100_000);
    assert.deepEqual(decision, { fire: false, reason: 'once-a-minute' });
    assert.deepEqual([state.inactiveSinceMs, state.dueAtMs], [T0, T0 + 130_000]);
    assert.equal(
      decideOnInactivityDue(rule, state, { nowMs: T0 + 130_000, availableUntilMs: T0 + 130_000, outages: [] }).decision
        .fire,
      true,
    );
  });

  it('has no due time while the trigger is switched off', () => {
    const { decision, state } = decide({ active: false, inactiveSinceMs: T0, dueAtMs: T0 }, T0 + 500_000);
    assert.deepEqual(decision, { fire: false, reason: 'inactive' });
    assert.equal(state.dueAtMs, null);
  });

  it('begins to count when it has not yet', () => {
    const { decision, state } = decide({}, T0);
    assert.deepEqual([decision.reason, state.inactiveSinceMs, state.dueAtMs], ['not-due', T0, T0 + 100_000]);
  });

  it('never fires early, never twice in a minute, and again in every further period', () => {
    const step = fc.record({ waitMs: fc.integer({ min: 0, max: 70_000 }), arrives: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 60, max: 120 }), (steps, inactivity) => {
        let state = onArrival({ inactivity }, buildState(), T0, { nowMs: T0, outages: [] });
        let nowMs = T0;
        let quietSince = T0;
        let lastFiring = Number.NEGATIVE_INFINITY;
        for (const { waitMs, arrives } of steps) {
          nowMs += waitMs;
          if (arrives) {
            state = onArrival({ inactivity }, state, nowMs, { nowMs, outages: [] });
            quietSince = nowMs;
            continue;
          }
          const result = decideOnInactivityDue({ inactivity }, state, { nowMs, availableUntilMs: nowMs, outages: [] });
          state = result.state;
          if (result.decision.fire) {
            assert.ok(nowMs - quietSince >= inactivity * 1000);
            assert.ok(nowMs - lastFiring >= 60_000);
            lastFiring = nowMs;
          } else if (result.decision.reason === 'not-due') {
            const longAgo = Math.max(quietSince, lastFiring) + inactivity * 1000 <= nowMs;
            assert.ok(!longAgo, 'a whole period since arrival and firing must have fired');
          }
        }
      }),
    );
  });
});

describe('onArrival', () => {
  it('restarts the inactivity', () => {
    const context = { nowMs: T0 + 5, outages: [{ fromMs: T0 + 10, toMs: T0 + 20 }] };
    const state = onArrival(rule, buildState({ inactiveSinceMs: T0 }), T0 + 5, context);
    assert.deepEqual([state.inactiveSinceMs, state.dueAtMs], [T0 + 5, T0 + 100_015]);
  });

  it('changes nothing for an earlier arrival, an inactive trigger, or one that does not watch inactivity', () => {
    const context = { nowMs: T0 + 1, outages: [] };
    const state = buildState({ inactiveSinceMs: T0 });
    assert.equal(onArrival(rule, state, T0 - 1, context), state);
    assert.equal(onArrival({ inactivity: null }, state, T0 + 1, context), state);
    const inactive = buildState({ active: false });
    assert.equal(onArrival(rule, inactive, T0, context), inactive);
  });
});
