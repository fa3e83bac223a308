import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deliveryTimeMs } from '../../../../src/alerts/rules/delivery-plan';

const BEGAN_MS = 1_795_229_544_000;

/** The firings of an episode: the pauses before them, and which of them are muted. */
const episodes = fc
  .array(fc.record({ waitMs: fc.integer({ min: 60_000, max: 900_000 }), isMuted: fc.boolean() }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((steps) => {
    let firedMs = BEGAN_MS;
    return steps.map(({ waitMs, isMuted }, index) => {
      if (index > 0) firedMs += waitMs;
      return { firedMs, isMuted };
    });
  });
const afters = fc.constantFrom(0, 1, 60, 600, 3_600, 604_800);

/** The delivered firings of an episode, each with the time of its delivery to a notification. */
function deliveries(firings: readonly { firedMs: number; isMuted: boolean }[], afterS: number) {
  return firings
    .filter(({ isMuted }) => !isMuted)
    .map(({ firedMs }, index) => {
      const firing = { firedMs, episodeMs: BEGAN_MS, isFirst: index === 0, isDeferred: false };
      return { firedMs, atMs: deliveryTimeMs(firing, afterS) };
    });
}

describe('a notification that takes part in an episode after some time', () => {
  it('gets nothing before that time, and nothing before its firing', () => {
    fc.assert(
      fc.property(episodes, afters, (firings, afterS) => {
        for (const { firedMs, atMs } of deliveries(firings, afterS)) {
          if (atMs !== undefined) assert.ok(atMs >= Math.max(firedMs, BEGAN_MS + afterS * 1000));
        }
      }),
    );
  });

  it('gets the first delivered firing at that time, or at once if it is over', () => {
    fc.assert(
      fc.property(episodes, afters, (firings, afterS) => {
        const [first] = deliveries(firings, afterS);
        if (first) assert.equal(first.atMs, Math.max(first.firedMs, BEGAN_MS + afterS * 1000));
      }),
    );
  });

  it('gets a muted firing at the end of the mute and not before that time, if it is the first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900_000 }), afters, fc.boolean(), (muteMs, afterS, isFirst) => {
        const deferredUntilMs = BEGAN_MS + muteMs;
        const firing = { firedMs: BEGAN_MS, episodeMs: BEGAN_MS, isFirst, isDeferred: false, deferredUntilMs };
        const expected = isFirst ? Math.max(deferredUntilMs, BEGAN_MS + afterS * 1000) : undefined;
        assert.equal(deliveryTimeMs(firing, afterS), expected);
      }),
    );
  });

  it('gets every later firing at once, and none in between', () => {
    fc.assert(
      fc.property(episodes, afters, (firings, afterS) => {
        for (const { firedMs, atMs } of deliveries(firings, afterS).slice(1)) {
          assert.equal(atMs, firedMs >= BEGAN_MS + afterS * 1000 ? firedMs : undefined);
        }
      }),
    );
  });
});
