import type { Clock } from '../../src/platform/clock';

export interface FakeClock extends Clock {
  advance(ms: number): void;
}

/** A clock that only moves by `advance`. */
export function fakeClock(startMs = Date.UTC(2026, 0, 5, 12)): FakeClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
