import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Acknowledging, BacktestAudience } from '../../../../src/alerts/backtests/backtest-audience';
import { BacktestPace } from '../../../../src/alerts/backtests/backtest-pace';
import { BacktestRun } from '../../../../src/alerts/backtests/backtest-run';
import { BacktestWindows } from '../../../../src/alerts/backtests/backtest-windows';
import { ValueResults } from '../../../../src/alerts/backtests/value-results';
import { decideOnPoint, steadyDecision } from '../../../../src/alerts/rules/firing';
import type { TriggerRule } from '../../../../src/alerts/rules/trigger-rule';
import { openWorkBudget } from '../../../../src/fairness/byte-budget';

const START_MS = Date.UTC(2026, 0, 5);
const MANY = Number.POSITIVE_INFINITY;
const SENSORS = [1, 2];

const rules = fc.record({
  expression: fc.constantFrom(
    ...['sensor_data_value > 30', 'sensor_data_value > 30', 'sensor_data_value > 30'],
    'sensor_data_value > 30 and sensor_data_value < 33',
    'sensor_data_value.a > 30',
    'sensor_data_value > last_sensor_data_value',
    'hour() >= 0 and sensor_data_value > 30',
    'times_triggered < 2',
    'nonsense(',
  ),
  inactivity: fc.constantFrom(null, null, 65),
  hold: fc.constantFrom(0, 0, 15),
  repeat: fc.constantFrom(null, 0, 0, 70),
  resolveExpression: fc.constantFrom(null, null, 'sensor_data_value < 25'),
  keepFiringFor: fc.constantFrom(0, 25),
  timezone: fc.constant('UTC'),
});
const value = fc.constantFrom('10', '20', '28', '31', '32', '33', 'text', '{"a":31}', '{"a":9}', ' '.repeat(120));
const points = fc.array(fc.record({ sensorId: fc.constantFrom(...SENSORS), gap: fc.nat(40), value }), {
  maxLength: 80,
});
const acknowledged = fc.array(fc.record({ sensorId: fc.constantFrom(...SENSORS), at: fc.nat(1_500) }), {
  maxLength: 4,
});
const acknowledging = fc.oneof(
  fc.constantFrom<Acknowledging>('never', 30),
  acknowledged.map(
    (all): Acknowledging =>
      all
        .map(({ sensorId, at }) => ({ sensorId, cause: 'expression' as const, atMs: START_MS + at * 1000 }))
        .sort((a, b) => a.atMs - b.atMs),
  ),
);
const mute = fc.record({ from: fc.nat(800), length: fc.integer({ min: 1, max: 300 }), deliversAfter: fc.boolean() });

describe('a backtest', () => {
  it('finds the same whether points that change nothing are left out or not', async () => {
    let skipped = 0;
    const story = fc.record({
      rule: rules,
      points,
      acknowledging,
      mutes: fc.array(mute, { maxLength: 2 }),
      slice: fc.nat(30),
    });
    await fc.assert(
      fc.asyncProperty(story, async (one) => {
        const [fast, slow] = [await run(one, true), await run(one, false)];
        assert.deepEqual(fast.found, slow.found);
        skipped += slow.judged - fast.judged;
      }),
      { numRuns: 1_000 },
    );
    assert.ok(skipped > 100, `${skipped} points were left out`);
  });

  it('leaves out what its judge decides without a change', () => {
    const state = fc.record({
      ...{ active: fc.boolean(), lastTriggeredMs: fc.constantFrom(0, START_MS), timesTriggered: fc.nat(3) },
      ...{
        lastValue: fc.constantFrom(null, '1'),
        lastDateMs: fc.constant(START_MS),
        lastError: fc.constantFrom(null, null, null, null, 'x'),
      },
      ...{
        inactiveSinceMs: fc.constant(null),
        dueAtMs: fc.constant(null),
        stateSinceMs: fc.constantFrom(null, START_MS),
      },
      pendingSinceMs: fc.constantFrom(null, null, START_MS),
      clearSinceMs: fc.constantFrom(null, null, START_MS),
      conditionDueMs: fc.constantFrom(null, null, START_MS + 5_000),
      episode: fc.option(
        fc.record({
          ...{ beganMs: fc.constant(START_MS), firedMs: fc.constant(START_MS) },
          ...{ isAcknowledged: fc.boolean(), isAnnounced: fc.boolean() },
        }),
      ),
      inactivityEpisode: fc.constant(null),
    });
    const later = fc.integer({ min: 1, max: 200 });
    let steady = 0;
    fc.assert(
      fc.property(rules, state, fc.constantFrom('20', '31'), later, (rule, before, given, seconds) => {
        const always = { ...rule, expression: 'sensor_data_value > 30' };
        const decision = steadyDecision(always, before, given === '31');
        if (!decision) return;
        steady += 1;
        const point = { value: given, dateMs: START_MS + seconds * 1000 };
        const judged = decideOnPoint(always, before, point, { nowMs: point.dateMs, dataType: 'float' });
        const seen = { ...before, lastValue: point.value, lastDateMs: point.dateMs };
        assert.deepEqual(judged, { decision, state: seen });
      }),
      { numRuns: 2_000 },
    );
    assert.ok(steady > 50, `${steady} were steady`);
  });
});

interface Story {
  rule: TriggerRule;
  points: { sensorId: number; gap: number; value: string }[];
  acknowledging: Acknowledging;
  mutes: { from: number; length: number; deliversAfter: boolean }[];
  slice: number;
}

async function run({ rule, points, acknowledging: acknowledge, mutes, slice }: Story, isFast: boolean) {
  const pace = new BacktestPace(MANY, async () => undefined);
  const windows = new BacktestWindows(pace, openWorkBudget(), 1);
  const audience = new BacktestAudience({
    trigger: { triggerId: 5, triggerName: 'warm' },
    ...{ notifyResolved: true, resolvedText: null, sensors: new Map(), acknowledge },
    mutes: mutes.map(({ from, length, deliversAfter }) => ({
      ...{ startMs: START_MS + from * 1000, endMs: START_MS + (from + length) * 1000, deliversAfter },
      ...{ sensors: null, triggers: null, weekly: null },
    })),
    recipientsOf: () => [
      { id: 7, afterS: 0, text: '$sensor_data_value after $last_sensor_data_value, $times_triggered' },
      { id: 8, afterS: 45, text: 'still $sensor_data_value' },
    ],
    limits: { digestAfter: 0, digested: new Set(), timezone: 'UTC', listed: MANY },
  });
  const sensors = SENSORS.map((id) => ({ id, dataType: 'float', inactiveSinceMs: START_MS }));
  const bounds = { steps: MANY, episodes: MANY, listed: { count: MANY, newest: false } };
  const results = new ValueResults([rule.expression]);
  const of = isFast ? results.of(rule.expression) : undefined;
  const tried = new BacktestRun(rule, sensors, START_MS, bounds, pace, windows, audience, of);
  let judged = 0;
  const { take } = audience;
  audience.take = (...step) => {
    judged += 1;
    return take.apply(audience, step);
  };
  let dateMs = START_MS;
  const dated = points.map(({ gap, ...point }) => {
    dateMs += gap * 1000 + 1;
    return { ...point, dateMs };
  });
  const types = new Map(sensors.map(({ id, dataType }) => [id, dataType]));
  for (const part of [dated.slice(0, slice), dated.slice(slice)]) {
    const untilMs = part.at(-1)?.dateMs ?? dateMs;
    await tried.pass({ points: part, untilMs, results: isFast ? results.rowsOf(part, types) : undefined });
  }
  await tried.pass({ points: [], untilMs: dateMs + 400_000 });
  const { firings, episodes, counts, lastError } = tried;
  const found = {
    firings,
    episodes,
    counts,
    lastError,
    points: tried.points,
    deliveries: audience.deliveries.listed,
  };
  return { found, judged };
}
