import assert from 'node:assert/strict';
import type { ChunkPoint } from '../../../../src/points/point-store/chunk/chunk';
import {
  CHUNK_FIELDS,
  type ChunkRow,
  chunkValues,
  DamagedChunk,
  encodeChunk,
  openChunk,
} from '../../../../src/points/point-store/chunk-rows';

const STARTED_MS = Date.UTC(2026, 0, 1);
const JITTER_MS = [0, 7, 0, 450, 3];
const POINTS = ['21.5', '21.50', '007', '{"t":-3}', 'open'].map((value, at): ChunkPoint => {
  return { dateMs: STARTED_MS + at * 60_000 + (JITTER_MS[at] ?? 0), value, delayS: at % 2 };
});
/** These points as the first codec wrote them. */
const BODY_OF_CODEC_1 = 'eJxjbVhw9e27tHMr2aUnsTfyMbIwMjAbGJizVyuVKFkx1LLkF6TmMTAwMjEzMTKtY54nx8DAysDEyMQIAOQRDMc=';

const bodyAt = CHUNK_FIELDS.split(', ').indexOf('body');
const body = chunkValues(7, encodeChunk(POINTS))[bodyAt];

function chunkOf(codec: number, bytes: unknown = body): ChunkRow {
  assert.ok(Buffer.isBuffer(bytes));
  return { sensorId: 7, firstMs: STARTED_MS, lastMs: STARTED_MS, count: POINTS.length, codec, body: bytes };
}

describe('the row of a chunk', () => {
  it('gives back its points', () => {
    assert.deepEqual(openChunk(chunkOf(2)).all(), POINTS);
  });

  it('is read as the first codec wrote it', () => {
    assert.deepEqual(openChunk(chunkOf(1, Buffer.from(BODY_OF_CODEC_1, 'base64'))).all(), POINTS);
  });

  it('is refused with the codec of a later release', () => {
    assert.throws(() => openChunk(chunkOf(3)), DamagedChunk);
  });

  it('never gives other points when a bit of it has changed: deflate has a few bits without a meaning', () => {
    const { body: bytes } = chunkOf(2);
    let refused = 0;
    for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      try {
        assert.deepEqual(openChunk(chunkOf(2, changed)).all(), POINTS, `bit ${bit}`);
      } catch (error) {
        if (!(error instanceof DamagedChunk)) throw error;
        refused += 1;
      }
    }
    assert.ok(refused > 7.8 * bytes.length, `${refused}`);
  });

  it('is refused when it is cut', () => {
    const { body: bytes } = chunkOf(2);
    for (let size = 0; size < bytes.length; size += 1)
      assert.throws(() => openChunk(chunkOf(2, bytes.subarray(0, size))), DamagedChunk, `${size}`);
  });
});
