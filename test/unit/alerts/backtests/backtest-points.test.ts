import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inSlices } from '../../../../src/alerts/backtests/backtest-points';

const parts = fc.array(fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 6 }), { maxLength: 6 });
const sensors = [1, 2];

describe('the slices of time of a backtest', () => {
  it('have every point once, follow each other, reach the end, and are no longer than asked', async () => {
    await fc.assert(
      fc.asyncProperty(parts, fc.integer({ min: 1, max: 200 }), fc.nat(50), async (gaps, longest, rest) => {
        const range = { startMs: 1_000, endMs: 1_000, maxLengthMs: longest };
        let dateMs = range.startMs - 1;
        const given = gaps.map((some) =>
          some.flatMap((gap) => {
            dateMs += gap;
            return sensors.map((sensorId) => ({ sensorId, dateMs, value: '1' }));
          }),
        );
        range.endMs = dateMs + rest;
        const read = [];
        let reachedMs = range.startMs - 1;
        for await (const { points, untilMs } of inSlices(iterate(given), range)) {
          assert.ok(untilMs > reachedMs && untilMs - reachedMs <= longest);
          for (const point of points) assert.ok(point.dateMs > reachedMs && point.dateMs <= untilMs);
          read.push(...points);
          reachedMs = untilMs;
        }
        assert.deepEqual(read, given.flat());
        assert.equal(reachedMs, range.endMs);
      }),
    );
  });
});

async function* iterate<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
