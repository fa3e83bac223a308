/** The types of pictures that the platform stores. None of them can contain scripts. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

/** Sizes are in pixels. */
export interface ImageHeader {
  type: ImageType;
  width: number;
  height: number;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** PNG, JPEG or WebP; undefined for everything else, whatever its name. */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  const found = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  return found && found.width > 0 && found.height > 0 ? found : undefined;
}

/** PNG, 5.2 and 11.2.2: the signature, then the chunk IHDR. */
function readPng(bytes: Buffer): ImageHeader | undefined {
  const isPng = bytes.length >= 33 && bytes.subarray(0, 8).equals(PNG) && textAt(bytes, 12) === 'IHDR';
  return isPng ? { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : undefined;
}

const START_OF_SCAN = 0xda;
/** Look like the start of a frame: tables of Huffman and arithmetic coding, and a reserved marker. */
const NO_FRAMES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

/** JPEG, B.1 and B.2.2: segments with lengths, one of which starts the frame. */
function readJpeg(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === START_OF_SCAN) return undefined;
    if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.has(marker)) {
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    // Fill bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** RFC 9649, 2.4 to 2.7: a RIFF file whose first chunk is lossy, lossless or extended. */
function readWebp(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 30 || textAt(bytes, 0) !== 'RIFF' || textAt(bytes, 8) !== 'WEBP') return undefined;
  const type = 'image/webp';
  switch (textAt(bytes, 12)) {
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4);
}
