import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { numberIn } from '../../../../../src/edge/number-in';
import { ByteReader, ByteWriter } from '../../../../../src/points/point-store/chunk/byte-columns';
import { type ChunkBytes, type ChunkPoint, writeChunk } from '../../../../../src/points/point-store/chunk/chunk';
import { ChunkPoints } from '../../../../../src/points/point-store/chunk/chunk-points';
import { readDates } from '../../../../../src/points/point-store/chunk/dates';

const MINUTE_MS = 60_000;
const STARTED_MS = Date.UTC(2026, 0, 1);
const HEAD_BYTES = 60;
const readChunk = (bytes: ChunkBytes) => new ChunkPoints(bytes).all();

const pointsOf = (values: readonly string[]): ChunkPoint[] =>
  values.map((value, index) => ({ dateMs: STARTED_MS + index * MINUTE_MS, value, delayS: 0 }));
/** Bytes a point, compressed, with an estimate of the row of the chunk. */
const bytesOf = (points: readonly ChunkPoint[]) => {
  const parts = Object.values(writeChunk(points)).map((part) => deflateRawSync(part).length);
  return parts.reduce((sum, size) => sum + size, HEAD_BYTES) / points.length;
};

/** Numbers as devices write them, and texts that only look like numbers. */
const values = fc.oneof(
  fc.double({ noNaN: true }).map(String),
  fc.integer({ min: -40_000, max: 40_000 }).map((tenths) => (tenths / 10).toFixed(1)),
  fc.integer({ min: -40_000, max: 40_000 }).map((cents) => String(cents / 100)),
  fc.constantFrom(
    '21.50',
    '1e3',
    '007',
    '-0',
    '-0.0',
    '+5',
    '.5',
    '5.',
    '',
    ' 1',
    'NaN',
    'open',
    'closed',
    '\0',
    '1\0',
    '１',
  ),
  fc.constantFrom('9007199254740993', '123456789012345678', '0.1234567890123456789', '-999999999999999.9'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc
    .record({ t: fc.integer({ max: 500, min: -500 }), h: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map((one) => JSON.stringify(one)),
  fc.integer({ max: 999 }).map((n) => `{ "a" : ${n / 10}, "a": "2026-01-0${Math.abs(n) % 10}T00:${n}" }`),
);
const gaps = fc.oneof(fc.constant(MINUTE_MS), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 10 ** 11 }));
const points = fc
  .array(fc.tuple(gaps, values, fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })), { maxLength: 80 })
  .map((rows) => {
    let dateMs = 0;
    return rows.map(([gap, value, delayS]): ChunkPoint => {
      dateMs += gap;
      return { dateMs, value, delayS };
    });
  });

describe('a chunk of points', () => {
  it('refuses dates with more bytes than a date can have', () => {
    const dated = (higher: number) => {
      const to = new ByteWriter();
      to.signed(STARTED_MS);
      to.unsigned(higher);
      for (let column = 0; column < higher; column += 1) to.byteColumn(Uint8Array.of(0, 0));
      return () => readDates(new ByteReader(to.end()), Uint8Array.of(0, 1), 2);
    };
    assert.deepEqual([...dated(6)()], [STARTED_MS, STARTED_MS + 1]);
    assert.throws(dated(7), /too far apart/);
  });

  it('has columns of the numbers of a value with 32 of them', () => {
    const value = (row: number) => JSON.stringify(Array.from({ length: 32 }, (_, at) => row * 1_000 + at));
    const bytes = (count: number) => writeChunk(pointsOf(Array.from({ length: count }, (_, at) => value(at))));
    // Two bytes a number; as a text it would take four or more, with its comma.
    assert.ok(bytes(200).columns.length < 200 * 32 * 2.5, String(bytes(200).columns.length));
  });

  it('needs no decimals of their own for integers that end with 0', () => {
    const size = (integer: string) =>
      writeChunk(pointsOf(Array.from({ length: 300 }, (_, at) => (at % 2 ? integer : '20.5')))).columns.length;
    assert.equal(size('20'), size('21'));
  });

  it('gives back every point, byte for byte', () => {
    fc.assert(
      fc.property(points, (some) => assert.deepEqual(readChunk(writeChunk(some)), some)),
      { numRuns: 500 },
    );
  });

  it('gives the same numbers as the texts of its values', () => {
    fc.assert(
      fc.property(points, (some) => {
        const chunk = new ChunkPoints(writeChunk(some));
        for (const [index, { value }] of some.entries()) assert.equal(chunk.number(index), numberIn(value));
      }),
      { numRuns: 500 },
    );
  });

  it('of many points of one kind is given back as well', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 400 }), (some, count) => {
        const many = pointsOf(Array.from({ length: count }, (_, index) => some[index % some.length] ?? ''));
        assert.deepEqual(readChunk(writeChunk(many)), many);
      }),
    );
  });

  it('takes few bytes a point: numbers at regular dates, states, objects', () => {
    const steps = Array.from({ length: 1_440 }, (_, index) =>
      Math.round(200 + 20 * Math.sin(index / 90) + (index % 3)),
    );
    assert.ok(bytesOf(pointsOf(steps.map((step) => String(step / 10)))) < 1);
    assert.ok(bytesOf(pointsOf(steps.map((step) => (step > 205 ? 'open' : 'closed')))) < 0.2);
    const objects = steps.map((step) => JSON.stringify({ t: step / 10, h: step + 200, p: 1_000 + step / 100 }));
    assert.ok(bytesOf(pointsOf(objects)) < 2);
  });

  it('takes two bytes a point where dates jitter by a second', () => {
    const jittered = pointsOf(Array.from({ length: 1_440 }, (_, index) => String(20 + Math.round(index / 400)))).map(
      (point, index) => ({ ...point, dateMs: point.dateMs + ((index * 7_919) % 900) }),
    );
    assert.ok(bytesOf(jittered) < 2);
  });

  it('refuses bytes that are cut, prolonged or of something else', () => {
    const { columns, lowestOfDates } = writeChunk(pointsOf(['1', '2.5', '{"a":1}', 'x']));
    for (let size = 0; size < columns.length; size += 1)
      assert.throws(() => readChunk({ columns: columns.subarray(0, size), lowestOfDates }), RangeError);
    assert.throws(() => readChunk({ columns: Buffer.concat([columns, Buffer.of(0)]), lowestOfDates }), RangeError);
    for (const other of [lowestOfDates.subarray(1), Buffer.concat([lowestOfDates, Buffer.of(0)])])
      assert.throws(() => readChunk({ columns, lowestOfDates: other }), RangeError);
    const bytes = fc.uint8Array({ maxLength: 60 }).map((some) => Buffer.from(some));
    fc.assert(
      fc.property(bytes, fc.option(bytes, { nil: undefined }), (columns, lowestOfDates) => {
        try {
          readChunk({ columns, lowestOfDates });
        } catch (error) {
          assert.ok(error instanceof RangeError, String(error));
        }
      }),
    );
  });
});
