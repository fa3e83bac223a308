import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import { isRecord } from '../../platform/is-record';
import { RefusedArchive } from '../refused-archive';
import type { ZipReader } from './zip-reader';

/** Characters. Of a point less: its value has 65,535 bytes at most. */
const LONGEST_LINE = 2_000_000;
const LINE_BREAK = 0x0a;
const CHUNK = { chunkSize: 256 * 1024 };

/** Lines next to each other. */
export interface Block {
  lines: string[];
  /** The number of the first one, from 1. */
  first: number;
}

/**
 * Reads an entry block by block, unpacked if its name ends in `.gz`. `spend` gets the bytes. Nothing if there is no such
 * entry. Throws RefusedArchive.
 */
export async function* readBlocks(
  zip: ZipReader,
  name: string,
  spend: (bytes: number) => void = () => {},
): AsyncGenerator<Block> {
  if (!zip.has(name)) return;
  let rest: Buffer[] = [];
  let waiting = 0;
  let first = 1;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const block = (bytes: Buffer): Block => {
    const lines = decode(decoder, bytes, name, first).split('\n');
    const long = lines.findIndex(({ length }) => length > LONGEST_LINE);
    if (long >= 0) throw tooLong(name, first + long);
    const read = { lines, first };
    first += lines.length;
    return read;
  };
  for await (const chunk of unpacked(zip, name)) {
    spend(chunk.length);
    const cut = chunk.lastIndexOf(LINE_BREAK);
    if (cut >= 0) {
      yield block(Buffer.concat([...rest, chunk.subarray(0, cut)]));
      [rest, waiting] = [[], 0];
    }
    rest.push(chunk.subarray(cut + 1));
    waiting += chunk.length - cut - 1;
    if (waiting > LONGEST_LINE) throw tooLong(name, first);
  }
  if (waiting > 0) yield block(Buffer.concat(rest));
}

/** The whole of an entry that has one text; undefined without it. */
export async function readText(zip: ZipReader, name: string, most: number): Promise<string | undefined> {
  if (!zip.has(name)) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of zip.read(name)) {
    bytes += chunk.length;
    if (bytes > most) throw new RefusedArchive(name, `the entry is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return decode(new TextDecoder('utf-8', { fatal: true }), Buffer.concat(chunks), name, 1);
}

/** A line as an object of JSON. Throws RefusedArchive. */
export function parseLine(name: string, number: number, line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new RefusedArchive(name, `line ${number} is no JSON`);
  }
  if (!isRecord(value)) throw new RefusedArchive(name, `line ${number} is no object of JSON`);
  return value;
}

async function* unpacked(zip: ZipReader, name: string): AsyncGenerator<Buffer> {
  if (!name.endsWith('.gz')) return yield* zip.read(name);
  const source = Readable.from(zip.read(name));
  const unzip = createGunzip(CHUNK);
  source.once('error', (error) => unzip.destroy(error));
  try {
    for await (const chunk of source.pipe(unzip)) yield chunk;
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new RefusedArchive(name, 'the entry cannot be unpacked');
    throw error;
  } finally {
    source.destroy();
    unzip.destroy();
  }
}

function decode(decoder: TextDecoder, bytes: Buffer, name: string, first: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new RefusedArchive(name, `the text from line ${first} on is not UTF-8`);
  }
}

function tooLong(name: string, line: number): RefusedArchive {
  return new RefusedArchive(name, `line ${line} is longer than ${LONGEST_LINE} characters`);
}
