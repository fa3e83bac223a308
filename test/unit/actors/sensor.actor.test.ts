import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SensorActor } from '../../../src/actors/sensor.actor';
import type { SensorMessageContext } from '../../../src/actors/sensor.messages';
import type { SensorTriggerEntry } from '../../../src/actors/sensor.state';
import type { ReceivedDataPoint } from '../../../src/domain/data-point';
import type { TriggerState } from '../../../src/domain/trigger-state';
import { buildState } from '../domain/trigger-states';

const NOW = 1_795_229_544_000;
const sensor = { id: 7, name: 'hall', dataType: 'float' };

function buildTrigger(
  overrides: Partial<SensorTriggerEntry> = {},
  state: Partial<TriggerState> = {},
): SensorTriggerEntry {
  return {
    sensorTriggerId: 70,
    triggerId: 3,
    triggerName: 'too warm',
    ownerId: 1,
    expression: 'sensor_data_value > 20',
    inactivity: null,
    notifyResolved: false,
    mutedUntilMs: null,
    state: buildState(state),
    ...overrides,
  };
}

function at(nowMs: number, overrides: Partial<SensorMessageContext> = {}): SensorMessageContext {
  return { nowMs, availableUntilMs: nowMs, outages: [], ...overrides };
}

function point(value: string, dateMs: number, receivedMs = dateMs): ReceivedDataPoint {
  return { value, dateMs, receivedMs };
}

describe('SensorActor', () => {
  it('turns a point into a firing with everything that its delivery needs', () => {
    const actor = new SensorActor({ sensor, mutes: [], triggers: [buildTrigger()] });
    actor.handle({ kind: 'points', points: [point('21', NOW - 5, NOW - 2)] }, at(NOW));
    const { firings, states } = actor.changes();
    assert.equal(firings.length, 1);
    const { variables, ...firing } = firings[0] ?? assert.fail('no firing');
    assert.deepEqual(firing, {
      sensorTriggerId: 70,
      triggerId: 3,
      triggerName: 'too warm',
      ownerId: 1,
      firedMs: NOW,
      episodeMs: NOW,
      reason: 'expression',
      isMuted: false,
      point: { dateMs: NOW - 5, receivedMs: NOW - 2 },
    });
    assert.equal(variables.sensor_data_value, '21');
    assert.deepEqual(
      states.map(({ state }) => state.timesTriggered),
      [1],
    );
  });

  it('fires once when two points arrive in the same minute', () => {
    const actor = new SensorActor({ sensor, mutes: [], triggers: [buildTrigger()] });
    actor.handle({ kind: 'points', points: [point('21', NOW - 1), point('22', NOW)] }, at(NOW));
    const { firings, decisions } = actor.changes();
    assert.equal(firings.length, 1);
    assert.deepEqual(
      decisions.map(({ decision }) => decision.reason),
      ['fired', 'once-a-minute'],
    );
  });

  it('evaluates points in order of date, whatever the order of their arrival', () => {
    const rising = buildTrigger({ expression: 'sensor_data_value > last_sensor_data_value' });
    const actor = new SensorActor({ sensor, mutes: [], triggers: [rising] });
    actor.handle({ kind: 'points', points: [point('3', NOW), point('1', NOW - 2), point('2', NOW - 1)] }, at(NOW));
    const reasons = actor.changes().decisions.map(({ decision }) => decision.reason);
    assert.deepEqual(reasons, ['no-previous-value', 'fired', 'once-a-minute']);
  });

  it('does not let one trigger stop the others', () => {
    const broken = buildTrigger({ sensorTriggerId: 1, expression: 'sensor_data_value.lux > 1' });
    // A row that could not be read: impossible by its type, but not in the database.
    const corrupt = buildTrigger({ sensorTriggerId: 2, expression: 5 as unknown as string });
    const actor = new SensorActor({
      sensor,
      mutes: [],
      triggers: [broken, corrupt, buildTrigger({ sensorTriggerId: 3 })],
    });
    actor.handle({ kind: 'points', points: [point('21', NOW)] }, at(NOW));
    const { firings, states } = actor.changes();
    assert.deepEqual(
      firings.map(({ sensorTriggerId }) => sensorTriggerId),
      [3],
    );
    assert.match(states[0]?.state.lastError ?? '', /lux does not exist/);
    assert.notEqual(states[1]?.state.lastError, null);
  });

  it('reports only states that changed', () => {
    const late = buildTrigger({}, { lastDateMs: NOW + 10, lastValue: '1' });
    const actor = new SensorActor({
      sensor,
      mutes: [],
      triggers: [late, buildTrigger({ sensorTriggerId: 71 }, { active: false })],
    });
    actor.handle({ kind: 'points', points: [point('21', NOW)] }, at(NOW));
    actor.handle({ kind: 'inactivity-due' }, at(NOW));
    assert.deepEqual(actor.changes().states, []);
    assert.deepEqual(actor.changes().firings, []);
  });

  describe('with an inactivity', () => {
    const inactivityRule = { expression: null, inactivity: 60 };
    const armed = { inactiveSinceMs: NOW, dueAtMs: NOW + 60_000 };

    it('fires when the inactivity is complete', () => {
      const actor = new SensorActor({ sensor, mutes: [], triggers: [buildTrigger(inactivityRule, armed)] });
      actor.handle({ kind: 'inactivity-due' }, at(NOW + 59_999));
      assert.equal(actor.changes().firings.length, 0);
      actor.handle({ kind: 'inactivity-due' }, at(NOW + 60_000));
      const firing = actor.changes().firings[0];
      assert.equal(firing?.reason, 'inactivity');
      assert.equal(firing?.point, undefined);
    });

    it('does not fire when data has arrived and still waits', () => {
      const actor = new SensorActor({ sensor, mutes: [], triggers: [buildTrigger(inactivityRule, armed)] });
      actor.handle({ kind: 'points', points: [point('1', NOW + 59_000)] }, at(NOW + 300_000));
      assert.deepEqual(actor.changes().firings, []);
      assert.equal(actor.changes().states[0]?.state.dueAtMs, NOW + 119_000);
    });

    it('is ended by the arrival of a point of any date', () => {
      const actor = new SensorActor({
        sensor,
        mutes: [],
        triggers: [buildTrigger(inactivityRule, { ...armed, lastDateMs: NOW, lastValue: '1' })],
      });
      actor.handle(
        { kind: 'points', points: [point('1', NOW - 9e9, NOW + 5), point('1', NOW + 9e9, NOW + 6)] },
        at(NOW + 10),
      );
      assert.equal(actor.changes().states[0]?.state.inactiveSinceMs, NOW + 6);
    });

    it('fires for an inactivity that was complete before the next arrival', () => {
      const actor = new SensorActor({ sensor, mutes: [], triggers: [buildTrigger(inactivityRule, armed)] });
      const context = at(NOW + 61_000, { availableUntilMs: NOW + 59_000 });
      actor.handle({ kind: 'points', points: [point('1', NOW + 60_500)] }, context);
      actor.handle({ kind: 'inactivity-due' }, context);
      const { firings, states } = actor.changes();
      assert.deepEqual(
        firings.map(({ reason }) => reason),
        ['inactivity'],
      );
      assert.deepEqual([states[0]?.state.inactiveSinceMs, states[0]?.state.dueAtMs], [NOW + 60_500, NOW + 120_500]);
    });

    it('counts the next inactivity from the data that ended the previous one, however long both waited', () => {
      const actor = new SensorActor({ sensor, mutes: [], triggers: [buildTrigger(inactivityRule, armed)] });
      const context = at(NOW + 200_000);
      actor.handle({ kind: 'points', points: [point('1', NOW + 100_000), point('1', NOW + 110_000)] }, context);
      assert.equal(actor.changes().firings.length, 1);
      assert.equal(actor.changes().states[0]?.state.inactiveSinceMs, NOW + 110_000);
    });

    it('does not count outages as inactivity', () => {
      const actor = new SensorActor({ sensor, mutes: [], triggers: [buildTrigger(inactivityRule, armed)] });
      const outages = [{ fromMs: NOW + 10_000, toMs: NOW + 70_000 }];
      actor.handle({ kind: 'points', points: [point('1', NOW + 71_000)] }, at(NOW + 71_000, { outages }));
      assert.deepEqual(actor.changes().firings, []);
    });
  });

  const batches = fc.array(
    fc.record({
      waitMs: fc.integer({ min: 0, max: 50_000 }),
      inactivity: fc.boolean(),
      ages: fc.array(fc.integer({ min: -4_000_000, max: 200_000 }), { maxLength: 6 }),
    }),
    { maxLength: 25 },
  );

  it('fires once a minute, for any batches of points and inactivities', () => {
    fc.assert(
      fc.property(batches, (steps) => {
        let trigger = buildTrigger({ expression: 'sensor_data_value > 0', inactivity: 60 });
        const fired: number[] = [];
        let nowMs = NOW;
        for (const { waitMs, inactivity, ages } of steps) {
          nowMs += waitMs;
          const points = ages.map((age) => point('1', nowMs - age, nowMs - 10));
          const actor = new SensorActor({ sensor, mutes: [], triggers: [trigger] });
          actor.handle({ kind: 'points', points }, at(nowMs));
          if (inactivity) actor.handle({ kind: 'inactivity-due' }, at(nowMs));
          const { firings, states } = actor.changes();
          trigger = { ...trigger, state: states[0]?.state ?? trigger.state };
          fired.push(...firings.map(({ firedMs }) => firedMs));
        }
        assert.equal(trigger.state.timesTriggered, fired.length);
        assert.ok(fired.slice(1).every((ms, i) => ms - (fired[i] ?? 0) >= 60_000));
      }),
    );
  });

  it('evaluates each point at most once and in order of date, for any batches of points', () => {
    fc.assert(
      fc.property(batches, (steps) => {
        let trigger = buildTrigger({ expression: 'sensor_data_value < 0' });
        let lastDate = Number.NEGATIVE_INFINITY;
        let nowMs = NOW;
        for (const { waitMs, ages } of steps) {
          nowMs += waitMs;
          const points = ages.map((age) => point('1', nowMs - age, nowMs));
          // The same points arrive twice, as when a client repeats an upload after a lost response.
          const actor = new SensorActor({ sensor, mutes: [], triggers: [trigger] });
          actor.handle({ kind: 'points', points }, at(nowMs));
          actor.handle({ kind: 'points', points }, at(nowMs));
          const { decisions, states } = actor.changes();
          const newer = points
            .map(({ dateMs }) => dateMs)
            .filter((date) => date > lastDate && date <= nowMs + 3_600_000);
          const evaluated = decisions.filter(({ decision }) => decision.reason === 'false');
          assert.equal(evaluated.length, new Set(newer).size);
          lastDate = Math.max(lastDate, ...newer);
          trigger = { ...trigger, state: states[0]?.state ?? trigger.state };
          assert.equal(trigger.state.lastDateMs ?? Number.NEGATIVE_INFINITY, lastDate);
        }
      }),
    );
  });
});

describe('SensorActor with only some of the arrived points', () => {
  it('counts all arrivals before any of the points', () => {
    const inactive = buildTrigger(
      { expression: null, inactivity: 60 },
      { inactiveSinceMs: NOW, dueAtMs: NOW + 60_000 },
    );
    const actor = new SensorActor({ sensor, mutes: [], triggers: [inactive] });
    // The point that arrived first has the later date, and remains for the next turn.
    actor.handle(
      { kind: 'arrivals', of: [{ receivedMs: NOW + 90_000 }, { receivedMs: NOW + 50_000 }] },
      at(NOW + 95_000),
    );
    actor.handle({ kind: 'points', points: [point('1', NOW + 1, NOW + 90_000)] }, at(NOW + 95_000));
    const { firings, states } = actor.changes();
    assert.deepEqual(firings, []);
    assert.equal(states[0]?.state.inactiveSinceMs, NOW + 90_000);
  });
});
