import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SensorActor } from '../../../../src/alerts/evaluation/actors/sensor.actor';
import { type BacktestStep, nextDue, onBacktestPoint, stateAtStart } from '../../../../src/alerts/rules/backtest';
import type { TriggerRule } from '../../../../src/alerts/rules/trigger-rule';
import { SensorWindows } from '../../../../src/language/windows/sensor-windows';
import { windowsOf } from '../../../../src/language/windows/written-windows';

const START = 1_795_229_544_000;
const rules = fc.record({
  expression: fc.constantFrom(
    null,
    'sensor_data_value > 2',
    'sensor_data_value > last_sensor_data_value',
    'current_time - last_triggered > 150 and sensor_data_date - last_sensor_data_date < 100',
    'times_triggered < 3',
    'sensor_data_value.lux > 1',
    'avg_over_time(sensor_data_value, 300) > 2 and count_over_time(sensor_data_value > 3, 200) > 1',
    'rate(sensor_data_value, 400) > 0.01 or changes(sensor_data_value, 600) == 0',
    'predict_linear(sensor_data_value, 900, 60) > quantile_over_time(0.9, sensor_data_value, 900)',
  ),
  inactivity: fc.constantFrom(null, 60, 61, 100, 300),
  hold: fc.constantFrom(0, 0, 1, 120, 600),
  repeat: fc.constantFrom(null, null, 0, 60, 200),
  resolveExpression: fc.constantFrom(
    null,
    null,
    'sensor_data_value < 2',
    'sensor_data_value.lux < 1',
    'max_over_time(sensor_data_value, 200) < 3',
  ),
  keepFiringFor: fc.constantFrom(0, 0, 1, 120, 600),
});
const waits = fc.array(fc.tuple(fc.integer({ min: 1, max: 400_000 }), fc.integer({ min: 0, max: 5 })), {
  maxLength: 30,
});

function windowsOver(rule: TriggerRule, points: { value: string; dateMs: number }[]): SensorWindows {
  const windows = new SensorWindows(windowsOf(rule), { dataType: 'float', keptDays: null });
  for (const point of points) windows.put(point);
  return windows;
}

/** The decisions of the trigger on stored points. */
function backtest(rule: TriggerRule, points: { value: string; dateMs: number }[], endMs: number): BacktestStep[] {
  const steps: BacktestStep[] = [];
  let state = stateAtStart(rule, START);
  const take = (step: BacktestStep) => {
    steps.push(step);
    state = step.state;
  };
  const passInactivities = (endMs: number) => {
    for (;;) {
      const step = nextDue(rule, state, { startMs: START, endMs });
      if (!step) return;
      take(step);
    }
  };
  const windows = windowsOver(rule, []);
  for (const point of points) {
    passInactivities(point.dateMs);
    windows.put(point);
    windows.dropBefore(point.dateMs - 900_000);
    for (const step of onBacktestPoint(rule, state, point, { dataType: 'float', windows })) take(step);
  }
  passInactivities(endMs);
  return steps;
}

describe('a backtest', () => {
  it('decides like the actor at the dates of the points and whenever the clock does', () => {
    fc.assert(
      fc.property(rules, waits, fc.integer({ min: 0, max: 900_000 }), (rule, steps, after) => {
        let dateMs = START;
        const points = steps.map(([wait, value]) => {
          dateMs += wait;
          return { value: String(value), dateMs };
        });
        const endMs = dateMs + after;
        const entry = {
          sensorTriggerId: 1,
          triggerId: 1,
          triggerName: '',
          ownerId: 1,
          triggerVersion: 1,
          notifyResolved: false,
          mutedUntilMs: null,
          ...rule,
        };
        const sensor = { id: 1, name: '', dataType: 'float' };
        const actor = new SensorActor({
          sensor,
          mutes: [],
          triggers: [{ ...entry, state: stateAtStart(rule, START) }],
        });
        const dueUntil = (ms: number) => {
          for (;;) {
            const { dueAtMs, conditionDueMs } = actor.changes().states[0]?.state ?? stateAtStart(rule, START);
            const conditionMs = conditionDueMs !== null && conditionDueMs < ms ? [conditionDueMs] : [];
            const nowMs = Math.min(...(dueAtMs === null ? [] : [dueAtMs]), ...conditionMs);
            if (nowMs > ms) return;
            actor.handle({ kind: 'due' }, { nowMs, availableUntilMs: nowMs, outages: [] });
          }
        };
        // A pass reads the points of all its windows at once, later ones included.
        const windows = windowsOver(rule, points);
        for (const point of points) {
          dueUntil(point.dateMs);
          const context = { nowMs: point.dateMs, availableUntilMs: point.dateMs, outages: [], windows };
          actor.handle({ kind: 'points', points: [{ ...point, receivedMs: point.dateMs }] }, context);
        }
        dueUntil(endMs);
        assert.deepEqual(
          backtest(rule, points, endMs).map(({ decision, atMs }) => ({ decision, atMs })),
          actor.changes().decisions.map(({ decision, decidedMs }) => ({ decision, atMs: decidedMs })),
        );
      }),
    );
  });

  it('never fires twice within a minute, whatever the clock and the points decide', () => {
    fc.assert(
      fc.property(rules, waits, fc.integer({ min: 0, max: 900_000 }), (rule, steps, after) => {
        let dateMs = START;
        const points = steps.map(([wait, value]) => {
          dateMs += wait;
          return { value: String(value), dateMs };
        });
        const fired = backtest(rule, points, dateMs + after).filter(({ decision }) => decision.fire);
        for (const [index, { atMs }] of fired.entries())
          assert.ok(index === 0 || atMs - (fired[index - 1]?.atMs ?? 0) >= 60_000, JSON.stringify(fired));
      }),
      { numRuns: 1_000 },
    );
  });

  it('fires at its start for an inactivity that was complete before, and counts the next from there', () => {
    const rule = { expression: null, inactivity: 60 };
    const state = stateAtStart(rule, START - 3_600_000);
    const first = nextDue(rule, state, { startMs: START, endMs: START + 60_000 });
    assert.equal(first?.atMs, START);
    assert.equal(first?.decision.fire, true);
    assert.equal(first?.state.dueAtMs, START + 60_000);
  });

  it('ignores inactivity before the first data of the sensor, or without a duration', () => {
    const span = { startMs: START, endMs: START + 9e9 };
    const inactivityRule = { expression: null, inactivity: 60 };
    assert.equal(nextDue(inactivityRule, stateAtStart(inactivityRule, null), span), null);
    const rule = { expression: 'true', inactivity: null };
    assert.equal(nextDue(rule, stateAtStart(rule, START), span), null);
  });
});
