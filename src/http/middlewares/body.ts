import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { NextFunction, Request, Response } from 'express';
import { InvalidInput, PlatformError, Unavailable } from '../../errors';
import { parseForm } from './form';

const MAX_BYTES = 10 * 1024 * 1024;
/** All bodies of this process together, unpacked, until their requests are answered. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
/** So much of each body is not counted: whoever fills the memory with large bodies does not shut the small ones out. */
const UNCOUNTED_BYTES = 64 * 1024;
/** `__proto__` as a key, or an escape that could spell a letter of it. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u00(?:5f|7[024]|6f)/i;

/** Keys are names there that callers choose, any of them; they are read into a map. */
const WITH_FREE_KEYS = /^\/sensors\/[^/]+\/metatags$/;

/** Mail programs post a body of a type of their choice there (RFC 8058); everything that counts is in the address. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['/unsubscribe']);

let heldBytes = 0;

/**
 * Reads the body, whatever its label: JSON first; a form only when it is no JSON and labelled as one. Refuses more than
 * 10 MB, unpacked too (413), encodings that it cannot read (415), and what would be too much beside all the other
 * bodies (503): nobody has shown a session yet.
 */
export async function readBody(request: Request, response: Response, next: NextFunction): Promise<void> {
  request.body = {};
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  if (WITHOUT_BODY.has(request.path)) {
    request.resume();
    return next();
  }
  const bytes = await collect(request, response);
  if (bytes.length > 0) request.body = parse(bytes, request, response);
  next();
}

function unpacked(request: Request): Readable {
  const encoding = (request.get('content-encoding') ?? 'identity').trim().toLowerCase();
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

async function collect(request: Request, response: Response): Promise<Buffer> {
  // Before any stream is made: one that nobody listens to would end the process with its first error.
  if (Number(request.get('content-length') ?? 0) > MAX_BYTES) {
    request.resume();
    throw tooLarge();
  }
  const stream = unpacked(request);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let held = 0;
    const giveUp = (error: PlatformError) => {
      stream.removeAllListeners('data');
      request.unpipe();
      if (stream !== request) stream.destroy();
      chunks.length = 0;
      // What is still on its way is read and dropped, so that the client gets to see the answer.
      request.resume();
      reject(error);
    };
    stream.on('error', () => giveUp(new InvalidInput('the body cannot be unpacked', undefined, 'broken_encoding')));
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      const more = Math.max(0, size - UNCOUNTED_BYTES) - held;
      if (size > MAX_BYTES) return giveUp(tooLarge());
      if (heldBytes + more > MAX_HELD_BYTES) return giveUp(new Unavailable('too much is being uploaded at the moment'));
      held += more;
      heldBytes += more;
      chunks.push(chunk);
    });
    stream.once('end', () => resolve(Buffer.concat(chunks)));
    response.once('close', () => {
      heldBytes -= held;
      // The client may have hung up after all of it was sent, and before it was unpacked: nothing may be held after this.
      if (!stream.readableEnded) giveUp(new InvalidInput('the body ended too early', undefined, 'aborted'));
    });
  });
}

function tooLarge(): PlatformError {
  return new PlatformError(413, 'too_large', 'the body is larger than 10 MB');
}

function parse(bytes: Buffer, request: Request, response: Response): unknown {
  const type = (request.get('content-type') ?? '').toLowerCase();
  const text = decode(bytes, /charset="?([^";\s]+)/.exec(type)?.[1] ?? 'utf-8');
  if (text.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (MAY_NAME_PROTOTYPE.test(text) && !WITH_FREE_KEYS.test(request.path)) dropPrototypes(parsed);
    return parsed;
  } catch (error) {
    // A number or a quoted text alone would be JSON as well; a form never begins like an object or a list.
    const looksLikeJson = response.locals.jsonSuffix === true && /^\s*[[{]/.test(text);
    if (type.startsWith('application/x-www-form-urlencoded') && !looksLikeJson) return parseForm(text);
    if (type.startsWith('multipart/')) {
      throw new PlatformError(415, 'unreadable_type', 'send JSON or application/x-www-form-urlencoded');
    }
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const where = position === undefined ? '' : ` at position ${position}`;
    throw new InvalidInput(`the body is not valid JSON${where}`, undefined, 'unparsable_json');
  }
}

function decode(bytes: Buffer, charset: string): string {
  if (/^utf-?8$/.test(charset)) {
    const text = bytes.toString('utf8');
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  }
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    throw new PlatformError(415, 'unreadable_charset', 'the charset is unknown; utf-8 is best');
  }
}

/**
 * Without this a key `__proto__` would become an own key that later copies could turn into a prototype. A walk over the
 * finished value costs less than its parsing; a reviver would cost many times that, and a stack as deep as the value.
 */
function dropPrototypes(parsed: unknown): void {
  const left: unknown[] = [parsed];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one !== 'object' || one === null) continue;
    if (Object.hasOwn(one, '__proto__')) Reflect.deleteProperty(one, '__proto__');
    for (const value of Array.isArray(one) ? one : Object.values(one)) if (typeof value === 'object') left.push(value);
  }
}
