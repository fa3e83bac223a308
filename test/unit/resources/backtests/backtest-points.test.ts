import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { BYTES_PER_CHUNK, POINTS_PER_CHUNK, readChunks } from '../../../../src/resources/backtests/backtest-points';
import type { SensorDataPoint } from '../../../../src/rules/data-point';
import type { Reader } from '../../../../src/storage/read-pool';

/** Answers the two statements that read a chunk from points in memory, and records how much each chunk has. */
function readerOf(stored: readonly SensorDataPoint[]) {
  const chunks: { points: number; bytes: number }[] = [];
  const reader: Reader = {
    query: async <T extends RowDataPacket[]>(sql: string, values: unknown[] = []) => {
      const [, afterMs, untilMs, limit] = values.map(Number);
      const found = stored.filter(({ dateMs }) => dateMs > Number(afterMs) && dateMs <= Number(untilMs));
      const bytes = (points: readonly SensorDataPoint[]) => points.reduce((sum, { value }) => sum + value.length, 0);
      if (sql.includes('COUNT')) {
        const limited = found.slice(0, limit);
        return [[{ points: limited.length, bytes: bytes(limited) }] as unknown as T, []];
      }
      chunks.push({ points: found.length, bytes: bytes(found) });
      return [found as unknown as T, []];
    },
  };
  return { reader, chunks };
}

describe('the chunks of a backtest', () => {
  const read = async (stored: readonly SensorDataPoint[]) => {
    const { reader, chunks } = readerOf(stored);
    const range = { startMs: 1_000, endMs: 100_000_000, maxLengthMs: 100_000_000 };
    const points: SensorDataPoint[] = [];
    for await (const chunk of readChunks(reader, [1], range)) points.push(...chunk.points);
    assert.deepEqual(points, stored);
    return chunks;
  };
  const pointsOf = (count: number, value: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => ({ sensorId: 1, dateMs: 1_000 + index * 500, value: value(index) }));

  it('have few points where values are large, also after small ones', async () => {
    const large = 'x'.repeat(65_000);
    const chunks = await read(pointsOf(8_000, (index) => (index < 6_000 ? '1' : large)));
    for (const { points, bytes } of chunks) {
      assert.ok(points <= POINTS_PER_CHUNK, `${points} points`);
      assert.ok(bytes <= BYTES_PER_CHUNK, `${bytes} bytes`);
    }
    assert.ok(chunks.length < 200, `${chunks.length} chunks`);
  });

  it('are read completely where one millisecond has more than a chunk may', async () => {
    const stored = [1, 2, 3].map((dateMs) => ({
      sensorId: 1,
      dateMs: 1_000 + dateMs,
      value: 'x'.repeat(BYTES_PER_CHUNK),
    }));
    assert.ok((await read(stored)).some(({ bytes }) => bytes === BYTES_PER_CHUNK));
  });
});
