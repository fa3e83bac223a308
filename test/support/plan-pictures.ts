import { deflateSync } from 'node:zlib';

/** A grey picture of one pixel. */
export const PNG = pngOf(1, 1);

// cspell:disable
/** The smallest JPEG of one pixel that decoders take. */
export const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  'base64',
);

/** A lossless WebP of one pixel. */
export const WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
// cspell:enable

/** A PNG with this size in its header; a real picture, a plan with a few walls, if it is at least 8 pixels wide. */
export function pngOf(width: number, height: number, { drawn = false } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const rows = drawn || (width === 1 && height === 1) ? planRows(width, height) : Buffer.alloc(1);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Grey pixels, white with black walls around and across. */
function planRows(width: number, height: number): Buffer {
  const rows = Buffer.alloc((width + 1) * height, 250);
  const wall = Math.max(1, Math.round(width / 80));
  for (let y = 0; y < height; y += 1) {
    rows[y * (width + 1)] = 0;
    for (let x = 0; x < width; x += 1) {
      const isOutside = x < wall || y < wall || x >= width - wall || y >= height - wall;
      const isDoor = Math.abs(y - height / 4) < height / 14;
      const isInside =
        (Math.abs(x - width / 2) < wall / 2 && !isDoor) || (Math.abs(y - height / 2) < wall / 2 && x > width / 2);
      if (isOutside || isInside) rows[y * (width + 1) + 1 + x] = 60;
    }
  }
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc(named));
  return Buffer.concat([length, named, sum]);
}

/** CRC-32 of PNG, annex D. */
function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
