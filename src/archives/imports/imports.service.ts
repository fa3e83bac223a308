import type { Readable } from 'node:stream';
import type { Page, PageOf } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { InvalidInput, PlatformError } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import type { Database } from '../../storage';
import { Archive } from '../../storage/models/archive.model';
import type { ArchiveQueue, ArchiveRows } from '../jobs/archive-rows';
import { ArchiveWork, Overtaken } from '../jobs/archive-work';
import { UPLOAD_PAUSE_MS } from '../knobs';
import { type ImportProgress, importBegin } from './import-progress';
import { type ImportOptions, passphraseOwner } from './import-runner';
import { UPLOAD_PART_BYTES } from './zip-reader';

/** The first bytes of each zip file. */
const ZIP = Buffer.from('PK');

interface Parts {
  database: Database;
  clock: Clock;
  rows: ArchiveRows;
  box: SecretBox;
  jobQueue: ArchiveQueue;
  /** The largest file. */
  mostBytes: number;
}

export class ImportsService {
  constructor(private readonly parts: Parts) {}

  list(ownerId: number, page: Page): Promise<PageOf<Archive>> {
    return this.parts.rows.list(ownerId, 'import', page);
  }

  find(ownerId: number, id: number): Promise<Archive> {
    return this.parts.rows.find(ownerId, 'import', id);
  }

  /** What is made stays. Throws NotFound. */
  async cancel(ownerId: number, id: number): Promise<void> {
    await this.parts.rows.cancel(ownerId, 'import', id);
  }

  /**
   * Stores the file as it arrives; a worker reads it afterwards. Throws Conflict while another one is not over, and 413
   * for too large a file.
   */
  async create({ userId, credential }: Caller, file: Readable, passphrase: string | undefined): Promise<Archive> {
    const { rows, box, clock, database, jobQueue } = this.parts;
    const sealed = passphrase === undefined ? {} : { passphrase: box.seal(passphrase, passphraseOwner(userId)) };
    const options: ImportOptions = { credential, ...sealed };
    const tryAgainMs = clock.now() + UPLOAD_PAUSE_MS;
    const archive = await rows.create(userId, 'import', { options, progress: importBegin(), tryAgainMs });
    const work = new ArchiveWork<ImportProgress>(database.pool, archive);
    try {
      await this.store(work, file);
    } catch (error) {
      const why = error instanceof PlatformError ? error.message : 'the upload ended too early';
      await work.end({ state: 'failed', error: why }).catch(() => undefined);
      if (error instanceof Overtaken) throw new InvalidInput('the import was cancelled', undefined, 'aborted');
      throw error;
    }
    await jobQueue.enqueueArchives([archive.id]);
    return rows.find(userId, 'import', archive.id);
  }

  private async store(work: ArchiveWork<ImportProgress>, file: Readable): Promise<void> {
    const { mostBytes, clock } = this.parts;
    let waiting: Buffer[] = [];
    let [length, bytes] = [0, 0];
    const keep = async (body: Buffer, isLast: boolean) => {
      if (work.progress.parts === 0 && !body.subarray(0, ZIP.length).equals(ZIP)) throw noZip();
      const after = isLast ? { phase: 1, bytes } : { bytes };
      const tryAgainMs = isLast ? 0 : clock.now() + UPLOAD_PAUSE_MS;
      await work.advance(after, body.length > 0 ? [{ entry: '', lines: 0, body }] : [], tryAgainMs);
    };
    for await (const chunk of file) {
      const piece: Buffer = chunk;
      bytes += piece.length;
      if (bytes > mostBytes) throw tooLarge(mostBytes);
      waiting.push(piece);
      length += piece.length;
      if (length < UPLOAD_PART_BYTES) continue;
      const all = Buffer.concat(waiting);
      let at = 0;
      for (; at + UPLOAD_PART_BYTES <= all.length; at += UPLOAD_PART_BYTES)
        await keep(all.subarray(at, at + UPLOAD_PART_BYTES), false);
      waiting = [all.subarray(at)];
      length = all.length - at;
    }
    await keep(Buffer.concat(waiting), true);
  }
}

function noZip(): InvalidInput {
  return new InvalidInput('the body must be the zip file of an export');
}

function tooLarge(mostBytes: number): PlatformError {
  return new PlatformError(413, 'too_large', `the file is larger than ${Math.floor(mostBytes / 1024 ** 2)} MB`);
}
