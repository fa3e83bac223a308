import { type FileHandle, open, stat } from 'node:fs/promises';
import { SourceError } from '../source';

const HEADER = 'SQLite format 3\u0000';
const WAL_HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC: ReadonlySet<number> = new Set([0x377f0682, 0x377f0683]);
const CACHED = 256;

/**
 * The pages of a SQLite database (https://www.sqlite.org/fileformat2.html). A page in the write-ahead log (`-wal`) replaces
 * that of the file. Both files are only read. Keeps a few hundred pages.
 */
export class Pages {
  private readonly cache = new Map<number, Buffer>();

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    readonly size: number,
    /** Bytes at the end of each page that belong to extensions. */
    readonly reserved: number,
    readonly count: number,
    private readonly log: Log | undefined,
  ) {}

  /** Throws SourceError for a file that is no database, is damaged, or is in the middle of a change. */
  static async open(path: string): Promise<Pages> {
    const journal = await stat(`${path}-journal`).catch(() => undefined);
    if (journal && journal.size > 0)
      throw new SourceError(path, 'has a change that has not ended: open it once by sqlite3');
    const file = await open(path, 'r');
    const header = Buffer.alloc(100);
    const { bytesRead } = await file.read(header, 0, 100, 0);
    if (bytesRead < 100 || header.toString('latin1', 0, 16) !== HEADER) {
      await file.close();
      throw new SourceError(path, 'is no SQLite database');
    }
    if (header.readUInt32BE(56) > 1)
      throw new SourceError(path, 'has texts in UTF-16, which this import does not read');
    const written = header.readUInt16BE(16);
    const size = written === 1 ? 65_536 : written;
    const log = await readLog(`${path}-wal`, size);
    const { size: bytes } = await file.stat();
    return new Pages(path, file, size, header.readUInt8(20), log?.pages ?? Math.floor(bytes / size), log);
  }

  /** A page by its number, from 1. */
  async page(number: number): Promise<Buffer> {
    const known = this.cache.get(number);
    if (known) return known;
    if (number < 1 || number > this.count) throw new SourceError(this.path, `is damaged: there is no page ${number}`);
    const buffer = Buffer.alloc(this.size);
    const frame = this.log?.frames.get(number);
    const { bytesRead } =
      frame !== undefined && this.log
        ? await this.log.file.read(buffer, 0, this.size, frame)
        : await this.file.read(buffer, 0, this.size, (number - 1) * this.size);
    if (bytesRead < this.size) throw new SourceError(this.path, `is damaged: page ${number} is not complete`);
    const [oldest] = this.cache.keys();
    if (this.cache.size >= CACHED && oldest !== undefined) this.cache.delete(oldest);
    this.cache.set(number, buffer);
    return buffer;
  }

  async close(): Promise<void> {
    await this.file.close();
    await this.log?.file.close();
  }
}

interface Log {
  file: FileHandle;
  /** Where the newest committed page of each number is. */
  frames: ReadonlyMap<number, number>;
  /** Pages of the database after the last commit. */
  pages: number;
}

/** Undefined if there is no log with commits. */
async function readLog(path: string, pageSize: number): Promise<Log | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return undefined;
  const header = Buffer.alloc(WAL_HEADER);
  await file.read(header, 0, WAL_HEADER, 0);
  const isLog = MAGIC.has(header.readUInt32BE(0));
  const found = isLog ? await committedFrames(file, header.subarray(16, 24), pageSize) : undefined;
  if (found && found.pages > 0) return { file, ...found };
  await file.close();
  return undefined;
}

/** Frames with other salts are left over from an earlier log. */
async function committedFrames(file: FileHandle, salts: Buffer, pageSize: number): Promise<Omit<Log, 'file'>> {
  const frames = new Map<number, number>();
  const uncommitted = new Map<number, number>();
  const frame = Buffer.alloc(FRAME_HEADER);
  let pages = 0;
  for (let at = WAL_HEADER; ; at += FRAME_HEADER + pageSize) {
    const { bytesRead } = await file.read(frame, 0, FRAME_HEADER, at);
    if (bytesRead < FRAME_HEADER || !frame.subarray(8, 16).equals(salts)) return { frames, pages };
    uncommitted.set(frame.readUInt32BE(0), at + FRAME_HEADER);
    const committed = frame.readUInt32BE(4);
    if (committed === 0) continue;
    pages = committed;
    for (const [number, place] of uncommitted) frames.set(number, place);
    uncommitted.clear();
  }
}
