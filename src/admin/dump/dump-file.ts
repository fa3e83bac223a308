import { createReadStream, createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** The last line of both dump programs. */
const TRAILER = '-- Dump completed';
const TAIL_BYTES = 1_000;
/** MariaDB begins its dumps with a command that MySQL's client does not know. */
const SANDBOX = /^\/\*M?!999999\\- [^\n]*\n/;
/** Start of the last line of a table's definition. No data begins like this: a line break in data is `\ `. */
const OPTIONS = ') ENGINE=';
/** An engine refuses the other's options for page compression. */
const COMPRESSED =
  /^(\) ENGINE=[^\n]*?) (?:`?PAGE_COMPRESSED`?='?1'?(?: `?PAGE_COMPRESSION_LEVEL`?='?[1-9]'?)?|COMPRESSION='zlib')/gm;

/** The file appears only when complete, and only this user can read it. Fails if it exists. */
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

/** Fails if the dump is truncated, damaged or another kind of file. */
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

/** Adapted to the server: the dump may come from the other engine. */
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

/** Cut between lines only. */
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
