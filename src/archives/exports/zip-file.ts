import { Readable } from 'node:stream';
import type { Pool } from 'mysql2/promise';
import { ZipFile } from 'yazl';
import { readEntries, readParts, type StoredEntry } from '../jobs/archive-parts';

const FIRST = ['README.txt', 'manifest.json'];

/** The file of an export, byte for byte the same each time. Nothing is packed again, so its size is known. */
export async function openZip(
  pool: Pool,
  { id, createdMs }: { id: number; createdMs: number },
): Promise<{ bytes: number; stream: Readable }> {
  const zip = new ZipFile();
  const mtime = new Date(createdMs);
  const stream = zip.outputStream as Readable; // the types say less than the library
  let present: Readable | undefined;
  stream.once('close', () => present?.destroy());
  for (const entry of inOrder(await readEntries(pool, id))) {
    const options = { mtime, mode: 0o100644, compress: false, size: entry.bytes };
    zip.addReadStreamLazy(entry.name, options, (done) => {
      const source = Readable.from(readParts(pool, id, entry));
      source.once('error', (error) => stream.destroy(error));
      present = source;
      done(null, source);
    });
  }
  const bytes = await new Promise<number>((resolve) => {
    zip.end(undefined, resolve as () => void); // the types leave its argument out
  });
  return { bytes, stream };
}

function inOrder(entries: readonly StoredEntry[]): StoredEntry[] {
  const place = ({ name }: StoredEntry) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return [...entries].sort((a, b) => place(a) - place(b));
}
