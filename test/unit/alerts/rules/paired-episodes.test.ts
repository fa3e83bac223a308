import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type EpisodeSpan, pairEpisodes } from '../../../../src/alerts/rules/paired-episodes';

const span = (beganMs: number, endedMs: number | null, sensorId = 1): EpisodeSpan => ({ sensorId, beganMs, endedMs });
const episodes = fc.array(
  fc
    .tuple(fc.integer({ min: 1, max: 2 }), fc.nat(60), fc.nat(20), fc.boolean())
    .map(([sensorId, began, length, isOpen]) => span(began, isOpen && length > 18 ? null : began + length, sensorId)),
  { maxLength: 12 },
);
const overlap = (a: EpisodeSpan, b: EpisodeSpan) =>
  Math.min(a.endedMs ?? 1e9, b.endedMs ?? 1e9) - Math.max(a.beganMs, b.beganMs);

describe('episodes of two rules', () => {
  it('are paired with the one that they overlap the most', () => {
    const [long, short, alone] = [span(0, 100), span(200, 210), span(500, 510)];
    const [early, late, other] = [span(0, 10), span(20, 205), span(600, null)];
    const { both, onlyThis, onlyOther } = pairEpisodes([long, short, alone], [early, late, other]);
    assert.deepEqual(both, [[long, late]]);
    assert.deepEqual(
      [onlyThis, onlyOther],
      [
        [short, alone],
        [early, other],
      ],
    );
  });

  it('are not paired between sensors, and open ones last', () => {
    assert.equal(pairEpisodes([span(0, 10)], [span(0, 10, 2)]).both.length, 0);
    assert.equal(pairEpisodes([span(0, null)], [span(1_000_000, null)]).both.length, 1);
  });

  it('are each in one place, and no two that overlap are left without a partner', () => {
    fc.assert(
      fc.property(episodes, episodes, (these, others) => {
        const { both, onlyThis, onlyOther } = pairEpisodes(these, others);
        assert.equal(both.length + onlyThis.length, these.length);
        assert.equal(new Set([...both.map(([one]) => one), ...onlyThis]).size, these.length);
        assert.equal(new Set([...both.map(([, other]) => other), ...onlyOther]).size, others.length);
        for (const [one, other] of both) assert.ok(one.sensorId === other.sensorId && overlap(one, other) >= 0);
        for (const one of onlyThis) {
          for (const other of onlyOther) assert.ok(one.sensorId !== other.sensorId || overlap(one, other) < 0);
        }
      }),
    );
  });

  it('are the same in number as by trying all pairs, whatever their order', () => {
    fc.assert(
      fc.property(episodes, episodes, (these, others) => {
        const pairs = these
          .flatMap((one) => others.map((other) => [one, other] as const))
          .filter(([one, other]) => one.sensorId === other.sensorId && overlap(one, other) >= 0)
          .sort(([a, b], [c, d]) => overlap(c, d) - overlap(a, b) || a.beganMs - c.beganMs || b.beganMs - d.beganMs);
        const used = new Set<EpisodeSpan>();
        for (const [one, other] of pairs) if (!used.has(one) && !used.has(other)) used.add(one).add(other);
        assert.equal(pairEpisodes(these, others).both.length, used.size / 2);
      }),
    );
  });

  it('are compared with themselves without a difference', () => {
    fc.assert(
      fc.property(episodes, (these) => {
        const { onlyThis, onlyOther } = pairEpisodes(these, these);
        assert.deepEqual([onlyThis, onlyOther], [[], []]);
      }),
    );
  });
});
