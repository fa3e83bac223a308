import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { ChunkPoint } from '../../../../src/points/point-store/chunk/chunk';
import { encodeChunk } from '../../../../src/points/point-store/chunk-rows';
import { chunksOf, isHalfFull } from '../../../../src/points/point-store/new-chunks';

const MONDAY_MS = Date.UTC(2026, 0, 5);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Points with an equal distance. */
function every(ms: number, count: number, value: (at: number) => string = () => '21.5'): ChunkPoint[] {
  return Array.from({ length: count }, (_, at) => ({ dateMs: MONDAY_MS + at * ms, value: value(at), delayS: 0 }));
}

function noise(at: number): string {
  return createHash('sha256').update(`${at}`).digest('hex');
}

function lengthsOf(points: readonly ChunkPoint[]): number[] {
  return [...chunksOf(points)].map((chunk) => chunk.points.length);
}

describe('points that become chunks', () => {
  it('are divided into equal numbers', () => {
    assert.deepEqual(lengthsOf(every(1_000, 2_000)), [1_000, 1_000]);
  });

  it('hold 262,144 bytes of values at most, however well these compress', () => {
    const long = every(1_000, 6, () => 'x'.repeat(100_000));
    assert.deepEqual(lengthsOf(long), [2, 2, 2]);
  });

  it('are half full by their points, or by their bytes', () => {
    assert.deepEqual([isHalfFull({ points: 720, bytes: 1_850 }), isHalfFull({ points: 721, bytes: 1 })], [false, true]);
    assert.equal(isHalfFull({ points: 1, bytes: 1_851 }), true);
  });

  it('end with their day where they are dense', () => {
    const fromSix = every(MINUTE_MS, 1_440).map((point) => ({ ...point, dateMs: point.dateMs + DAY_MS / 4 }));
    assert.deepEqual(lengthsOf(fromSix), [1_080, 360]);
    assert.deepEqual(lengthsOf(every(50_000, 1_728 + 1_000)).slice(0, 2), [1_364, 364]);
  });

  it('end after a month where they are sparse', () => {
    assert.deepEqual(lengthsOf(every(60 * MINUTE_MS, 1_440)), [31 * 24 + 1, 1_440 - 31 * 24 - 1]);
  });

  it('become as many as fit into 3,700 bytes where they do not compress', () => {
    const chunks = [...chunksOf(every(MINUTE_MS, 1_440, noise))];
    const sizes = chunks.map(({ body }) => body.length);
    assert.ok(sizes.length > 8 && Math.max(...sizes) <= 3_700, `${sizes}`);
    assert.ok(Math.min(...sizes.slice(0, -1)) > 3_300, `${sizes}`);
  });

  it('may have one value of any length', () => {
    const long = Array.from({ length: 9_000 }, (_, at) => noise(at)).join('');
    assert.deepEqual(lengthsOf(every(MINUTE_MS, 3, () => long)), [1, 1, 1]);
  });

  it('are all there, once, in their order', () => {
    const values = fc.oneof(fc.constantFrom('1', 'x'.repeat(90_000)), fc.nat().map(noise), fc.double().map(String));
    const steps = fc.tuple(fc.oneof(fc.constant(MINUTE_MS), fc.integer({ min: 1, max: 40 * DAY_MS })), values);
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 400 }), (list) => {
        let dateMs = MONDAY_MS;
        const points = list.map(([step, value]): ChunkPoint => {
          dateMs += step;
          return { dateMs, value, delayS: 0 };
        });
        const chunks = [...chunksOf(points)];
        assert.deepEqual(
          chunks.flatMap((chunk) => chunk.points),
          points,
        );
        for (const chunk of chunks) assert.deepEqual(encodeChunk(chunk.points), chunk);
      }),
      { numRuns: 50 },
    );
  });
});
