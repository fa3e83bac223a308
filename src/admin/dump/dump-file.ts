import { createReadStream, createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** How both dump programs end their output. */
const TRAILER = '-- Dump completed';
const TAIL_BYTES = 1_000;
/** MariaDB begins its dumps with a command to its own client, which that of MySQL does not understand. */
const SANDBOX = /^\/\*M?!999999\\- [^\n]*\n/;

/**
 * Writes a dump, compressed, to a file that is not there before it is complete, and that only this user can read. Fails
 * when there is one with this name.
 */
export async function writeDump(
  file: string,
  dump: (into: (source: Readable) => Promise<void>) => Promise<void>,
): Promise<void> {
  const draft = `${file}.part`;
  await rm(draft, { force: true });
  try {
    await dump((source) =>
      pipeline(source, createGzip({ level: 3 }), createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true })),
    );
    await requireComplete(draft);
    await link(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Reads a dump to its end; fails when it is cut off, damaged or something else. */
export async function requireComplete(file: string): Promise<void> {
  let tail = '';
  try {
    await pipeline(createReadStream(file), createGunzip(), async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source)
        tail = `${tail}${chunk.toString('latin1', Math.max(0, chunk.length - TAIL_BYTES))}`.slice(-TAIL_BYTES);
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw error;
    throw new Error(
      `${file} is cut off, damaged or no backup (${error instanceof Error ? error.message : String(error)})`,
    );
  }
  if (!tail.includes(TRAILER)) throw new Error(`${file} is no complete backup: its last line is missing`);
}

/** Sends the statements of a dump to a program. */
export async function readDump(file: string, into: Writable): Promise<void> {
  await pipeline(Readable.from(forAnyClient(createReadStream(file).pipe(createGunzip()))), into);
}

async function* forAnyClient(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of source) {
    yield isFirst ? Buffer.from(chunk.toString('latin1').replace(SANDBOX, ''), 'latin1') : chunk;
    isFirst = false;
  }
}
