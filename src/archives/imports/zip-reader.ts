import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Pool } from 'mysql2/promise';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { readPart } from '../jobs/archive-parts';
import { RefusedArchive } from '../refused-archive';
import { requireKnownName } from './entry-names';

/** All pieces of an upload but the last have this length. */
export const UPLOAD_PART_BYTES = 1024 * 1024;
/** Read at once, next to each other or not. */
const KEPT_PARTS = 4;
const MOST_ENTRIES = 50_020;

/** The entries of an uploaded file by their names. Throws RefusedArchive. */
export class ZipReader {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  static async open(pool: Pool, { id, bytes }: { id: number; bytes: number }): Promise<ZipReader> {
    const reader = new PartsReader(pool, id);
    const options = { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true };
    const zip = await fromRandomAccessReaderPromise(reader, bytes, options).catch((error: unknown) => refuse(error));
    if (zip.entryCount > MOST_ENTRIES)
      throw new RefusedArchive(undefined, `the file has ${zip.entryCount} entries, at most ${MOST_ENTRIES} are read`);
    const entries = new Map<string, Entry>();
    try {
      for await (const entry of zip.eachEntry()) {
        const { fileName } = entry;
        requireKnownName(fileName);
        if (entries.has(fileName)) throw new RefusedArchive(fileName, 'the entry is there twice');
        if (entry.isEncrypted()) throw new RefusedArchive(fileName, 'the entry is encrypted');
        entries.set(fileName, entry);
      }
    } catch (error) {
      refuse(error);
    }
    return new ZipReader(zip, entries);
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** The unpacked bytes of an entry, in which its checksum is right at the end. Empty if there is none. */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (!entry) return;
    let sum = 0;
    try {
      for await (const chunk of await this.zip.openReadStreamPromise(entry)) {
        const bytes: Buffer = chunk;
        sum = crc32(bytes, sum);
        yield bytes;
      }
    } catch (error) {
      refuse(error, name);
    }
    if (sum !== entry.crc32) throw new RefusedArchive(name, 'the checksum of the entry is wrong');
  }
}

/** Mistakes in the file are plain errors of the library, or have the codes of zlib; failures of MySQL are others. */
function refuse(error: unknown, name?: string): never {
  if (error instanceof RefusedArchive || !(error instanceof Error)) throw error;
  const code = 'code' in error ? String(error.code) : '';
  if (code.startsWith('Z_')) throw new RefusedArchive(name, 'the entry cannot be unpacked');
  if (code !== '') throw error;
  throw new RefusedArchive(name ?? nameIn(error.message), `the file is no valid zip: ${error.message.slice(0, 200)}`);
}

/** The library names an entry at the end of its message. */
function nameIn(message: string): string | undefined {
  return /(?:path|fileName|file name|characters in fileName): (.+)$/i.exec(message)?.[1]?.slice(0, 255);
}

/** Reads the pieces of an upload as one file. */
class PartsReader extends RandomAccessReader {
  private readonly kept = new Map<number, Buffer>();

  constructor(
    private readonly pool: Pool,
    private readonly archiveId: number,
  ) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.range(start, end));
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.copy(buffer.subarray(offset, offset + length), position).then(() => callback(null), callback);
  }

  private async copy(target: Buffer, position: number): Promise<void> {
    let filled = 0;
    for await (const bytes of this.range(position, position + target.length)) filled += bytes.copy(target, filled);
    if (filled < target.length) throw new Error('unexpected end of the file');
  }

  private async *range(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const position = Math.floor(at / UPLOAD_PART_BYTES);
      const part = await this.part(position);
      const from = at - position * UPLOAD_PART_BYTES;
      const bytes = part?.subarray(from, from + end - at);
      if (!bytes || bytes.length === 0) throw new Error('unexpected end of the file');
      yield bytes;
      at += bytes.length;
    }
  }

  private async part(position: number): Promise<Buffer | undefined> {
    const known = this.kept.get(position);
    if (known) return known;
    const part = await readPart(this.pool, this.archiveId, position);
    if (!part) return undefined;
    const [oldest] = this.kept.keys();
    if (this.kept.size >= KEPT_PARTS && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(position, part);
    return part;
  }
}
