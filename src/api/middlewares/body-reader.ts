import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { InvalidInput, PlatformError } from '../../platform/errors';
import { protocolRouteOf } from '../protocol-routes';
import { onceClosed } from './closed-response';

const MAX_BYTES = 10 * 1024 * 1024;
/** Unpacked, without a session to charge for more. */
export const SMALL_BYTES = 64 * 1024;
/** Unpacked size per compressed byte. Up to `SMALL_BYTES` any ratio is allowed. */
const MAX_RATIO = 200;
/**
 * A body must bring this many bytes every ten seconds. One of `SMALL_BYTES` or less may take a minute: slow radio
 * networks do.
 */
const LEAST_BYTES = 5_000;
const CHECK_MS = 10_000;
const SMALL_BODY_MS = 60_000;
const LONGEST_MS = 300_000;
/** Without a byte for so long, an upload of a file has ended. */
const FILE_PAUSE_MS = 120_000;

/** Charges bytes beyond `SMALL_BYTES`. Throws the client's error. */
export type Charge = (bytes: number) => void;

/**
 * An uncompressed body that arrived with the head; undefined if it has to be waited for. Without timer and listeners,
 * which take 6 of the 50 µs of a single point.
 */
export async function arrived(request: IncomingMessage): Promise<Buffer | undefined> {
  await undefined; // node continues with the received data before this is over
  if (request.readableLength !== Number(request.headers['content-length'])) return undefined;
  const bytes: Buffer | null = request.read();
  request.resume();
  return bytes ?? Buffer.alloc(0);
}

/**
 * Throws 413 beyond 10 MB, 415 for unknown encodings, 400 for bodies that unpack to too much or end early, 408 for slow
 * ones, and what `charge` throws.
 */
export function readBytes(request: IncomingMessage, response: ServerResponse, charge: Charge): Promise<Buffer> {
  // Before any stream is created: a stream without listeners ends the process with its first error.
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) {
    request.resume();
    throw tooLarge();
  }
  const stream = unpacked(request);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [packed, size] = [0, 0];
    const refuse = (error: unknown) => {
      clearInterval(timer);
      stream.removeAllListeners('data');
      request.unpipe();
      if (stream !== request) stream.destroy();
      chunks.length = 0;
      // Reads and drops the rest, so that the client sees the answer.
      request.resume();
      reject(error);
    };
    const timer = watchPace(
      request,
      () => packed,
      () => refuse(tooSlow(request, response)),
    );
    request.on('data', (chunk: Buffer) => {
      packed += chunk.length;
    });
    stream.on('error', () => refuse(new InvalidInput('the body cannot be unpacked', undefined, 'broken_encoding')));
    stream.on('data', (chunk: Buffer) => {
      const before = Math.max(size, SMALL_BYTES);
      size += chunk.length;
      try {
        checkSize(size, stream === request ? undefined : packed);
        if (size > before) charge(size - before);
      } catch (error) {
        return refuse(error);
      }
      chunks.push(chunk);
    });
    stream.once('end', () => {
      clearInterval(timer);
      resolve(Buffer.concat(chunks));
    });
    onceClosed(response, () => {
      // The client may have disconnected after sending everything, before it was unpacked: nothing may be held after
      // this.
      if (!stream.readableEnded) refuse(new InvalidInput('the body ended too early', undefined, 'aborted'));
    });
  });
}

/** Runs until the timer is cleared. */
function watchPace(request: IncomingMessage, received: () => number, onSlow: () => void): NodeJS.Timeout {
  const announced = request.headers['content-length'];
  const startedMs = performance.now();
  let before = 0;
  return setInterval(() => {
    const now = received();
    const isSmall = Number(announced ?? now) <= SMALL_BYTES;
    const longestMs = isSmall ? SMALL_BODY_MS : LONGEST_MS;
    const isSlow = performance.now() - startedMs > longestMs - CHECK_MS / 2 || (!isSmall && now - before < LEAST_BYTES);
    before = now;
    if (isSlow) onSlow();
  }, CHECK_MS);
}

/** Throws if a body is too large, or unpacks to too much for its compressed size. */
function checkSize(size: number, packed: number | undefined): void {
  if (size > MAX_BYTES) throw tooLarge();
  if (packed !== undefined && size > SMALL_BYTES && size > packed * MAX_RATIO) throw unpacksToTooMuch();
}

/** A file as it arrives, of any length. A client that pauses for two minutes is disconnected. Throws 415. */
export function readFile(request: IncomingMessage): Readable {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding !== 'identity') throw new PlatformError(415, 'unreadable_encoding', 'a file must not be encoded again');
  return Readable.from(withoutPauses(request));
}

async function* withoutPauses(request: IncomingMessage): AsyncGenerator<Buffer> {
  const timer = setTimeout(() => request.destroy(), FILE_PAUSE_MS);
  try {
    for await (const chunk of request) {
      yield chunk;
      timer.refresh();
    }
  } catch {
    throw new InvalidInput('the body ended too early', undefined, 'aborted');
  } finally {
    clearTimeout(timer);
  }
}

/** The request itself if it has no encoding. Throws 415. */
function unpacked(request: IncomingMessage): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  switch (encoding) {
    case '':
    case 'identity':
      return request;
    case 'gzip':
    case 'x-gzip':
      return request.pipe(createGunzip());
    case 'deflate':
      return request.pipe(createInflate());
    case 'br':
      return request.pipe(createBrotliDecompress());
    default: {
      const [path = ''] = (request.url ?? '').split('?');
      if (protocolRouteOf(path)?.encoding === encoding) return request;
      throw unknownEncoding();
    }
  }
}

function unknownEncoding(): PlatformError {
  return new PlatformError(415, 'unreadable_encoding', 'the content encoding must be gzip, deflate, br or none');
}

function tooLarge(): PlatformError {
  return new PlatformError(413, 'too_large', 'the body is larger than 10 MB');
}

function unpacksToTooMuch(): PlatformError {
  return new PlatformError(413, 'too_large', `the body unpacks to more than ${MAX_RATIO} times its size`);
}

/** Ends the connection: more would be read at the client's pace. */
function tooSlow({ socket }: IncomingMessage, response: ServerResponse): PlatformError {
  response.setHeader('Connection', 'close');
  response.once('finish', () => socket.destroySoon());
  return new PlatformError(408, 'too_slow', 'the body arrives too slowly');
}
