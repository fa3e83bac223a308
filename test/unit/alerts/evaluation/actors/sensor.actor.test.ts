import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SensorActor } from '../../../../../src/alerts/evaluation/actors/sensor.actor';
import { at, buildTrigger, NOW, point, sensor } from './actor-inputs';

describe('SensorActor', () => {
  it('makes a firing from a point, with everything that its delivery needs', () => {
    const actor = new SensorActor({ sensor, mutes: [], triggers: [buildTrigger()] });
    actor.handle({ kind: 'points', points: [point('21', NOW - 5, NOW - 2)] }, at(NOW));
    const { firings, states } = actor.changes();
    assert.equal(firings.length, 1);
    const { variables, ...firing } = firings[0] ?? assert.fail('no firing');
    assert.deepEqual(firing, {
      sensorTriggerId: 70,
      triggerId: 3,
      triggerName: 'too warm',
      triggerVersion: 1,
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
    actor.handle({ kind: 'due' }, at(NOW));
    assert.deepEqual(actor.changes().states, []);
    assert.deepEqual(actor.changes().firings, []);
  });

  /** Batches of points of clocks that are ahead by so many ms at most. */
  const batchesOf = (aheadMs: number) =>
    fc.array(
      fc.record({
        waitMs: fc.integer({ min: 0, max: 50_000 }),
        inactivity: fc.boolean(),
        ages: fc.array(fc.integer({ min: -aheadMs, max: 200_000 }), { maxLength: 6 }),
      }),
      { maxLength: 25 },
    );

  it('fires once a minute, for any batches of points and inactivities', () => {
    fc.assert(
      fc.property(batchesOf(4_000_000), (steps) => {
        let trigger = buildTrigger({ expression: 'sensor_data_value > 0', inactivity: 60 });
        const fired: number[] = [];
        let nowMs = NOW;
        for (const { waitMs, inactivity, ages } of steps) {
          nowMs += waitMs;
          const points = ages.map((age) => point('1', nowMs - age, nowMs - 10));
          const actor = new SensorActor({ sensor, mutes: [], triggers: [trigger] });
          actor.handle({ kind: 'points', points }, at(nowMs));
          if (inactivity) actor.handle({ kind: 'due' }, at(nowMs));
          const { firings, states } = actor.changes();
          trigger = { ...trigger, state: states[0]?.state ?? trigger.state };
          fired.push(...firings.map(({ firedMs }) => firedMs));
        }
        assert.equal(trigger.state.timesTriggered, fired.length);
        assert.ok(fired.slice(1).every((ms, i) => ms - (fired[i] ?? 0) >= 60_000));
      }),
    );
  });

  it('evaluates each point at most once and in order of date, for any batches of points of clocks that are right', () => {
    fc.assert(
      fc.property(batchesOf(60_000), (steps) => {
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
