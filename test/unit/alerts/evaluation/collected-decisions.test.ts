import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CollectedDecisions } from '../../../../src/alerts/evaluation/collected-decisions';
import { decodeDecisions } from '../../../../src/alerts/rules/decision-record';
import type { Decided } from '../../../../src/alerts/rules/sensor-state';
import { buildState } from '../rules/trigger-states';

const NOW = 1_795_229_544_125;

function decided(sensorId: number, sensorTriggerId: number, at: number, value = `${at}`): Decided {
  const point = { value, dateMs: NOW + at };
  const decision = { fire: false, reason: 'false' } as const;
  const of = { sensorId, sensorTriggerId, triggerId: 1, triggerVersion: 1 };
  return { ...of, decision, decidedMs: NOW, before: buildState(), point };
}

describe('decisions that wait for Redis', () => {
  const arbitrary = fc.array(
    fc.record({
      sensorId: fc.integer({ min: 1, max: 3 }),
      trigger: fc.integer({ min: 1, max: 2 }),
      value: fc.string({ unit: 'binary', maxLength: 6 }),
    }),
    { maxLength: 250 },
  );

  it('become an entry for each sensor, with the latest hundred of each of its triggers in their order', () => {
    const collected = new CollectedDecisions();
    fc.assert(
      fc.property(arbitrary, (given) => {
        collected.clear(); // it is used again and again
        for (const [at, { sensorId, trigger, value }] of given.entries())
          assert.ok(collected.add(decided(sensorId, 10 * sensorId + trigger, at, value)));
        assert.equal(collected.isEmpty, given.length === 0);
        const entries = [...collected.entries()];
        assert.deepEqual(
          new Set(entries.map(({ sensorId }) => sensorId)),
          new Set(given.map(({ sensorId }) => sensorId)),
        );
        for (const { sensorId, sensorTriggers, text } of entries) {
          const own = given.filter((one) => one.sensorId === sensorId);
          assert.equal(sensorTriggers, new Set(own.map(({ trigger }) => trigger)).size);
          for (const trigger of [1, 2]) {
            const expected = given
              .map((one, at) => ({ ...one, at }))
              .filter((one) => one.sensorId === sensorId && one.trigger === trigger)
              .slice(-100);
            const found = decodeDecisions(text, 10 * sensorId + trigger);
            assert.deepEqual(
              found.map(({ valueDateMs, value }) => [valueDateMs, value]),
              expected.map(({ at, value }) => [NOW + at, value]),
            );
          }
        }
      }),
    );
  });

  it('of long texts are fewer', () => {
    const collected = new CollectedDecisions();
    for (let at = 0; at < 150; at += 1) collected.add(decided(1, 2, at, '\u{1F321}'.repeat(500)));
    const [entry] = collected.entries();
    const found = decodeDecisions(entry?.text ?? '', 2);
    assert.ok(found.length >= 10 && found.length < 100, `${found.length}`);
    assert.equal(found.at(-1)?.valueDateMs, NOW + 149);
  });

  it('are refused when there is no room, and taken again after it is cleared', () => {
    const collected = new CollectedDecisions();
    let taken = 0;
    while (taken < 1_000_000 && collected.add(decided(taken % 50, taken % 50, taken))) taken += 1;
    assert.ok(taken > 20_000 && taken < 100_000, `${taken}`);
    assert.equal(collected.add(decided(1, 1, 1)), false);
    for (const { sensorId, text } of collected.entries()) assert.equal(decodeDecisions(text, sensorId).length, 100);
    collected.clear();
    assert.ok(collected.add(decided(1, 1, 1)));
    assert.deepEqual([...collected.entries()].length, 1);
  });
});
