import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { InvalidInput, PlatformError } from '../../platform/errors';
import { onceClosed } from './closed-response';

const MAX_BYTES = 10 * 1024 * 1024;
/** Without a session, which is charged for more, a body may have this size, unpacked. */
export const SMALL_BYTES = 64 * 1024;
/** How many times its size a compressed body may unpack to; less than `SMALL_BYTES` it always may. */
const MAX_RATIO = 200;
/**
 * A body that is not complete has to go on arriving: this many bytes in each ten seconds. One that has at most `SMALL_BYTES` as a whole may take a
 * minute instead: on a slow radio network some bytes do.
 */
const LEAST_BYTES = 5_000;
const CHECK_MS = 10_000;
const SMALL_BODY_MS = 60_000;

/** What the bytes beyond `SMALL_BYTES` are charged to; throws what the client is answered. */
export type Charge = (bytes: number) => void;

/**
 * A body that is not packed and came together with the head, as small ones do; undefined for one that has to be waited for. Neither
 * a timer nor listeners are needed for it: with them a single point takes 6 of 50 µs more.
 */
export async function arrived(request: IncomingMessage): Promise<Buffer | undefined> {
  await undefined; // node goes on with what it has received before this is over
  if (request.readableLength !== Number(request.headers['content-length'])) return undefined;
  const bytes: Buffer | null = request.read();
  request.resume();
  return bytes ?? Buffer.alloc(0);
}

/**
 * Reads a body to its end, unpacked. Refuses more than 10 MB (413), encodings that cannot be read (415), what unpacks to
 * too much or breaks off (400), what arrives too slowly (408), and whatever `charge` refuses.
 */
export function readBytes(request: IncomingMessage, response: ServerResponse, charge: Charge): Promise<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const isPacked = encoding !== '' && encoding !== 'identity';
  // Before any stream is made: one that nobody listens to would end the process with its first error.
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) {
    request.resume();
    throw tooLarge();
  }
  const stream = unpacked(request, encoding);
  const announced = request.headers['content-length'];
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [packed, size, packedBefore] = [0, 0, 0];
    const refuse = (error: unknown) => {
      clearInterval(timer);
      stream.removeAllListeners('data');
      request.unpipe();
      if (stream !== request) stream.destroy();
      chunks.length = 0;
      // What is still on its way is read and dropped, so that the client gets to see the answer.
      request.resume();
      reject(error);
    };
    const timer = setInterval(() => {
      const isSmall = Number(announced ?? packed) <= SMALL_BYTES;
      const isSlow = isSmall
        ? performance.now() - startedMs > SMALL_BODY_MS - CHECK_MS / 2
        : packed - packedBefore < LEAST_BYTES;
      if (isSlow) refuse(tooSlow(request, response));
      packedBefore = packed;
    }, CHECK_MS);
    request.on('data', (chunk: Buffer) => {
      packed += chunk.length;
    });
    stream.on('error', () => refuse(new InvalidInput('the body cannot be unpacked', undefined, 'broken_encoding')));
    stream.on('data', (chunk: Buffer) => {
      const before = Math.max(size, SMALL_BYTES);
      size += chunk.length;
      try {
        if (size > MAX_BYTES) throw tooLarge();
        if (isPacked && size > SMALL_BYTES && size > packed * MAX_RATIO) throw unpacksToTooMuch();
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
      // The client may have hung up after all of it was sent, and before it was unpacked: nothing may be held after this.
      if (!stream.readableEnded) refuse(new InvalidInput('the body ended too early', undefined, 'aborted'));
    });
  });
}

function unpacked(request: IncomingMessage, encoding: string): Readable {
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
    default:
      throw new PlatformError(415, 'unreadable_encoding', 'the content encoding must be gzip, deflate, br or none');
  }
}

function tooLarge(): PlatformError {
  return new PlatformError(413, 'too_large', 'the body is larger than 10 MB');
}

function unpacksToTooMuch(): PlatformError {
  return new PlatformError(413, 'too_large', `the body unpacks to more than ${MAX_RATIO} times its size`);
}

/** The connection is of no more use: what the client still sends would be read at its own pace. */
function tooSlow({ socket }: IncomingMessage, response: ServerResponse): PlatformError {
  response.setHeader('Connection', 'close');
  response.once('finish', () => socket.destroySoon());
  return new PlatformError(408, 'too_slow', 'the body arrives too slowly');
}
