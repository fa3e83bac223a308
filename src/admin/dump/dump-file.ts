import { createReadStream, createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** How both dump programs end their output. */
const TRAILER = '-- Dump completed';
const TAIL_BYTES = 1_000;
/** MariaDB begins its dumps with a command to its own client, which that of MySQL does not understand. */
const SANDBOX = /^\/\*M?!999999\\- [^\n]*\n/;
/** How the last line of the definition of a table begins, and no line with data: there a new line is written `\\n`. */
const OPTIONS = ') ENGINE=';
/** Each engine refuses the options by which the other compresses pages. */
const COMPRESSED =
  /^(\) ENGINE=[^\n]*?) (?:`?PAGE_COMPRESSED`?='?1'?(?: `?PAGE_COMPRESSION_LEVEL`?='?[1-9]'?)?|COMPRESSION='zlib')/gm;

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

/** Sends the statements of a dump to a program, as its server writes them: the dump may be of the other engine. */
export async function readDump(file: string, into: Writable, isForMariaDb: boolean): Promise<void> {
  await pipeline(
    createReadStream(file),
    createGunzip(),
    (source: AsyncIterable<Buffer>) => translated(source, isForMariaDb),
    into,
  );
}

async function* translated(source: AsyncIterable<Buffer>, isForMariaDb: boolean): AsyncGenerator<Buffer> {
  const compression = isForMariaDb ? 'PAGE_COMPRESSED=1 PAGE_COMPRESSION_LEVEL=1' : "COMPRESSION='zlib'";
  let isFirst = true;
  for await (const lines of wholeLines(source)) {
    const mayDiffer = isFirst || lines.includes(OPTIONS);
    const text = mayDiffer ? lines.toString('latin1').replace(COMPRESSED, `$1 ${compression}`) : '';
    yield mayDiffer ? Buffer.from(isFirst ? text.replace(SANDBOX, '') : text, 'latin1') : lines;
    isFirst = false;
  }
}

/** The same bytes, cut between lines only. */
async function* wholeLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const chunk of source) {
    const end = chunk.lastIndexOf('\n') + 1;
    if (end > 0) {
      yield Buffer.concat([...begun, chunk.subarray(0, end)]);
      begun = [];
    }
    begun.push(chunk.subarray(end));
  }
  yield Buffer.concat(begun);
}
