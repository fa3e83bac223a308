import assert from 'node:assert/strict';
import { type EpisodeDelivery, EpisodePlan } from '../../../../src/alerts/rules/episode-plan';
import type { Mute } from '../../../../src/edge/mute';

const T = 1_795_229_544_000;
const s = (seconds: number) => T + seconds * 1000;
const mute = (fromS: number, toS: number, deliversAfter = true): Mute => ({
  ...{ startMs: s(fromS), endMs: s(toS), sensors: null, triggers: null, weekly: null },
  deliversAfter,
});
const planOf = (mutes: Mute[] = [], afters = [0, 300]) =>
  new EpisodePlan(
    {
      recipients: afters.map((afterS, id) => ({ id, afterS })),
      ...{ notifyResolved: true, mutes, sensorId: 1, triggerId: 2 },
    },
    T,
  );
const shown = (deliveries: EpisodeDelivery[]) =>
  deliveries.map(({ notificationId, kind, atMs }) => [notificationId, kind, (atMs - T) / 1000]);

describe('the deliveries of an episode', () => {
  it('are a firing at once, one after `after`, and the end for those that were reached', () => {
    const plan = planOf();
    assert.deepEqual(shown(plan.onFiring(T, false)), [[0, 'fired', 0]]);
    assert.deepEqual(shown(plan.release(s(300))), []);
    const early = planOf();
    early.onFiring(T, false);
    assert.deepEqual(shown(early.onEnd(s(200))), [[0, 'resolved', 200]]);
    assert.deepEqual(shown(plan.release(s(301))), [[1, 'escalation', 300]]);
    assert.deepEqual(shown(plan.onFiring(s(400), false)), [
      [0, 'fired', 400],
      [1, 'fired', 400],
    ]);
    assert.deepEqual(shown(plan.onEnd(s(500))), [
      [0, 'resolved', 500],
      [1, 'resolved', 500],
    ]);
  });

  it('wait for the end of a mute, and of each mute that has begun by then', () => {
    const plan = planOf([mute(0, 100), mute(90, 200, false)], [0]);
    assert.deepEqual(plan.onFiring(T, true), []);
    assert.equal(plan.firstMs, s(200));
    assert.deepEqual(shown(plan.release(s(200))), []);
    assert.deepEqual(shown(plan.release(s(201))), [[0, 'fired', 200]]);
  });

  it('are none of a mute that does not deliver, until an episode fires after it', () => {
    const plan = planOf([mute(0, 100, false)]);
    assert.deepEqual(plan.onFiring(T, true), []);
    assert.deepEqual(shown(planOf([mute(0, 100, false)]).onEnd(s(50))), []);
    assert.deepEqual(shown(plan.onFiring(s(120), false)), [[0, 'fired', 120]]);
    assert.deepEqual(shown(plan.release(s(400))), [[1, 'escalation', 300]]);
  });

  it('wait once: a repeat after the mute plans no second one', () => {
    const plan = planOf([mute(0, 100)]);
    plan.onFiring(T, true);
    assert.deepEqual(shown(plan.release(s(150))), [[0, 'fired', 100]]);
    assert.deepEqual(shown(plan.onFiring(s(160), false)), [[0, 'fired', 160]]);
    assert.deepEqual(shown(plan.release(s(1_000))), [[1, 'escalation', 300]]);
  });

  it('wait once also if only a later firing was muted by a mute that delivers', () => {
    const plan = planOf([mute(0, 50, false), mute(50, 200)]);
    assert.deepEqual([plan.onFiring(T, true), plan.onFiring(s(60), true)], [[], []]);
    assert.deepEqual(shown(plan.release(s(201))), [[0, 'fired', 200]]);
    assert.deepEqual(shown(plan.onFiring(s(210), false)), [[0, 'fired', 210]]);
    assert.deepEqual(shown(plan.release(s(1_000))), [[1, 'escalation', 300]]);
  });

  it('do not escalate once acknowledged, and an end within a mute comes after it', () => {
    const plan = planOf([mute(350, 400)]);
    plan.onFiring(T, false);
    plan.onAcknowledged();
    assert.deepEqual(plan.release(s(1_000)), []);
    assert.deepEqual(shown(plan.onEnd(s(360))), [[0, 'resolved', 400]]);
  });
});
