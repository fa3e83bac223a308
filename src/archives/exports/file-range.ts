import { Readable } from 'node:stream';

interface WholeFile {
  bytes: number;
  stream: Readable;
  createdMs: number;
}

interface FileAnswer {
  status: number;
  headers: Record<string, string>;
  stream: Readable;
}

/** The file, or the rest of it from the first byte of a range on: `bytes=N-`. Other ranges get the whole file. */
export function fileFrom({ bytes, stream, createdMs }: WholeFile, range: string): FileAnswer {
  const headers = {
    ...{ 'Content-Type': 'application/zip', 'Accept-Ranges': 'bytes' },
    'Last-Modified': new Date(createdMs).toUTCString(),
  };
  const first = Number(/^bytes=(\d{1,15})-$/.exec(range)?.[1] ?? 0);
  if (first === 0 || first >= bytes)
    return { status: 200, headers: { ...headers, 'Content-Length': String(bytes) }, stream };
  const part = { 'Content-Range': `bytes ${first}-${bytes - 1}/${bytes}`, 'Content-Length': String(bytes - first) };
  return { status: 206, headers: { ...headers, ...part }, stream: Readable.from(restOf(stream, first)) };
}

async function* restOf(stream: Readable, first: number): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of stream) {
    const bytes: Buffer = chunk;
    const skipped = Math.min(bytes.length, Math.max(0, first - at));
    at += bytes.length;
    if (skipped < bytes.length) yield bytes.subarray(skipped);
  }
}
