import assert from 'node:assert/strict';
import type { PoolConnection } from 'mysql2/promise';
import { PassClock } from '../../../../src/alerts/evaluation/pass-clock';
import { tryShadows } from '../../../../src/alerts/evaluation/shadow-pass';
import { stateAtStart } from '../../../../src/alerts/rules/backtest';
import type { SensorState, ShadowedSensor } from '../../../../src/alerts/rules/sensor-state';
import { decodeShadow } from '../../../../src/alerts/rules/shadow';
import { ruleOf } from '../../../../src/alerts/rules/trigger-rule';
import { WindowCache } from '../../../../src/alerts/trigger-store/window-cache';
import { FairShareScheduler } from '../../../../src/fairness/fair-share-scheduler';

const NOW = 1_767_700_000_000;
const RULE = ruleOf({ expression: 'sensor_data_value > 30', inactivity: 60 });
const NO_CONNECTION = undefined as unknown as PoolConnection; // without windows nothing is read

/** A shadow that takes part in its first pass, with one point unless given, after the pass has taken this long. */
async function tryAfter(ms: number, { inactiveMs = 59_000, points = 1, isDue = false } = {}) {
  let time = 0;
  const passClock = new PassClock(new FairShareScheduler(() => time), new Map());
  passClock.measure(2, () => {
    time += ms;
  });
  const sensor = { id: 1, name: 'cellar', dataType: 'float' };
  const entry = { shadowId: 1, sensorTriggerId: 3, untilMs: NOW + 1_000, rule: RULE, memory: null };
  const shadows: ShadowedSensor = { sensor, triggers: [], mutes: [], entries: [entry] };
  const known = { triggerId: 4, triggerName: 'warm', triggerVersion: 1, ownerId: 5, notifyResolved: false };
  const live = {
    ...known,
    ...RULE,
    sensorTriggerId: 3,
    mutedUntilMs: null,
    state: stateAtStart(RULE, NOW - inactiveMs),
  };
  const state: SensorState = { sensor, triggers: [live], mutes: [], shadows };
  const point = {
    id: 1,
    batchId: 1,
    sensorId: 1,
    ownerId: 5,
    value: '31',
    dateMs: NOW,
    receivedMs: NOW,
    storedMs: NOW,
  };
  const [result] = await tryShadows([{ state, changes: { states: [] } }], {
    connection: NO_CONNECTION,
    passClock,
    cache: new WindowCache(),
    retentionDays: null,
    pointsOf: points > 0 ? new Map([[1, [point as never]]]) : new Map(),
    due: new Set(isDue ? [1] : []),
    context: { nowMs: NOW, availableUntilMs: NOW, outages: [] },
  });
  const memory = decodeShadow(result?.states[0]?.memory ?? '');
  return { firings: result?.firings.length, untried: memory.untried, since: memory.state.inactiveSinceMs };
}

describe('the shadows of a pass', () => {
  it('decide on its points', async () => {
    assert.deepEqual(await tryAfter(1), { firings: 1, untried: 0, since: NOW });
  });

  it('decide by the clock in the pass in which their live triggers do', async () => {
    const complete = { inactiveMs: 60_000, points: 0 };
    assert.equal((await tryAfter(1, complete)).firings, 0);
    assert.equal((await tryAfter(1, { ...complete, isDue: true })).firings, 1);
  });

  it('count the points without time left, whose arrival still ends an inactivity', async () => {
    assert.deepEqual(await tryAfter(1_000), { firings: 0, untried: 1, since: NOW });
  });
});
