/** The movement of a phone; not recorded, but computed by the laws of physics: gravity and shaking. */
export interface Movement {
  /** The direction of gravity in the axes of the phone. */
  readonly gravity: readonly [number, number, number];
  /** The strength of the shaking in that direction, in m/s². */
  readonly shaking: number;
  readonly hertz: number;
}

export const MOVEMENTS: Readonly<Record<string, Movement>> = {
  lying: { gravity: [0, 0, 1], shaking: 0.05, hertz: 0.2 },
  sitting: { gravity: [0, 0.6, 0.8], shaking: 0.1, hertz: 0.3 },
  standing: { gravity: [0, 1, 0], shaking: 0.2, hertz: 0.5 },
  walking: { gravity: [0.1, 0.99, 0.1], shaking: 3, hertz: 1.9 },
};

/** 20 points a second with sensor noise; the same seed makes the same points, another seed is another person. */
export function accelerations(movement: Movement, fromMs: number, seconds: number, seed: number) {
  const random = generator(seed);
  const tilt = [0, 1, 2].map(() => (random() - 0.5) * 0.15);
  const pace = movement.hertz * (0.9 + random() * 0.2);
  return Array.from({ length: seconds * 20 }, (_, at) => {
    const swing = movement.shaking * Math.sin(2 * Math.PI * pace * (at / 20) + seed);
    const axis = (index: 0 | 1 | 2) => {
      const along = movement.gravity[index] + (tilt[index] ?? 0);
      return Number((along * (9.81 + swing) + (random() - 0.5) * 0.4).toFixed(3));
    };
    const value = { 'x-axis': axis(0), 'y-axis': axis(1), 'z-axis': axis(2) };
    return { date: (fromMs + at * 50) / 1000, value };
  });
}

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
