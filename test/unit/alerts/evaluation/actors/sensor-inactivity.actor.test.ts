import assert from 'node:assert/strict';
import { SensorActor } from '../../../../../src/alerts/evaluation/actors/sensor.actor';
import { at, buildTrigger, NOW, point, sensor } from './actor-inputs';

describe('SensorActor with an inactivity', () => {
  const inactivityRule = { expression: null, inactivity: 60 };
  const armed = { inactiveSinceMs: NOW, dueAtMs: NOW + 60_000 };

  it('fires when the inactivity is complete', () => {
    const actor = new SensorActor({ sensor, mutes: [], triggers: [buildTrigger(inactivityRule, armed)] });
    actor.handle({ kind: 'due' }, at(NOW + 59_999));
    assert.equal(actor.changes().firings.length, 0);
    actor.handle({ kind: 'due' }, at(NOW + 60_000));
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
    actor.handle({ kind: 'due' }, context);
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

  it('counts all arrivals before any of the points', () => {
    const inactive = buildTrigger(
      { expression: null, inactivity: 60 },
      { inactiveSinceMs: NOW, dueAtMs: NOW + 60_000 },
    );
    const actor = new SensorActor({ sensor, mutes: [], triggers: [inactive] });
    // The point that arrived first has the later date, and remains for the next pass.
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
