import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BatchBuilder, pack, unpack, type WaitingPoint } from '../../../../src/points/inbox/inbox-batch';

const PARTITIONS = 4;
const STORED_MS = 9;

const point = fc.record({
  ownerId: fc.integer({ min: 1, max: 3 }),
  sensorId: fc.integer({ min: 1, max: 20 }),
  dateMs: fc.integer({ min: 0, max: 253_402_300_799_999 }),
  receivedMs: fc.integer({ min: 0, max: 2 ** 45 }),
  value: fc.string({ unit: 'binary', maxLength: 20 }),
});

describe('the batches of a commit', () => {
  it('hold every point once, unchanged and in order, each in the partition of its sensor and with its owner', () => {
    fc.assert(
      fc.property(fc.array(point, { maxLength: 200 }), (points) => {
        const given: WaitingPoint[] = points.map((one) => ({ ...one, storedMs: STORED_MS }));
        const rows = build(given).map(readRow);
        for (const { partition, ownerId, count, sensorIds, points: held } of rows) {
          const sensors = new Set(held.map(({ sensorId }) => sensorId));
          assert.ok(held.every((one) => one.sensorId % PARTITIONS === partition && one.ownerId === ownerId));
          assert.deepEqual([count, new Set(sensorIds)], [held.length, sensors]);
        }
        for (const { sensorId, ownerId } of given) {
          const isOf = (one: WaitingPoint) => one.sensorId === sensorId && one.ownerId === ownerId;
          assert.deepEqual(rows.flatMap(({ points: held }) => held).filter(isOf), given.filter(isOf));
        }
        assert.equal(rows.flatMap(({ points: held }) => held).length, given.length);
      }),
    );
  });

  it('end at 1,000 points, or when their values take more than 100,000 characters', () => {
    const small = Array.from({ length: 2_500 }, (_, index) => waiting(index, '1'));
    assert.deepEqual(
      build(small).map((row) => readRow(row).count),
      [1_000, 1_000, 500],
    );
    const large = Array.from({ length: 5 }, (_, index) => waiting(index, 'x'.repeat(60_000)));
    assert.deepEqual(
      build(large).map((row) => readRow(row).count),
      [2, 2, 1],
    );
  });

  it('can be packed again with a part of their points', () => {
    const points = [waiting(1, '{"a":1}'), waiting(2, '"')];
    const { content, sensorIds } = pack(points);
    assert.deepEqual(unpack(7, STORED_MS, content), points);
    assert.equal(sensorIds, '[4]');
  });
});

function waiting(dateMs: number, value: string): WaitingPoint {
  return { ownerId: 7, sensorId: 4, dateMs, receivedMs: 5, value, storedMs: STORED_MS };
}

function build(points: readonly WaitingPoint[]): unknown[][] {
  const builder = new BatchBuilder(PARTITIONS);
  for (const one of points) builder.add(one.ownerId, one.sensorId, one, one.receivedMs);
  const rows = builder.rows(STORED_MS);
  assert.deepEqual(builder.partitions, new Set(rows.map(([partition]) => partition)));
  return rows;
}

function readRow([partition, , ownerId, storedMs, count, , sensorIds, content]: readonly unknown[]) {
  const ids: number[] = JSON.parse(String(sensorIds));
  return {
    partition,
    ownerId,
    count,
    sensorIds: ids,
    points: unpack(Number(ownerId), Number(storedMs), String(content)),
  };
}
