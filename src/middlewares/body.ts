import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { NextFunction, Request, Response } from 'express';
import qs from 'qs';
import { InvalidInput, PlatformError } from '../errors';

const MAX_BYTES = 10 * 1024 * 1024;
/** `__proto__` as a key, or an escape that could spell a letter of it. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u00(?:5f|7[024]|6f)/i;

/** Keys are names there that callers choose, any of them; they are read into a map. */
const WITH_FREE_KEYS = /^\/sensors\/[^/]+\/metatags$/;

/** Mail programs post a body of a type of their choice there (RFC 8058); everything that counts is in the address. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['/unsubscribe']);

/**
 * Reads the body, whatever its label: JSON first; a form only when it is no JSON and labelled as one. Refuses more than
 * 10 MB, unpacked too (413), and encodings that it cannot read (415).
 */
export async function readBody(request: Request, response: Response, next: NextFunction): Promise<void> {
  request.body = {};
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  if (WITHOUT_BODY.has(request.path)) {
    request.resume();
    return next();
  }
  const bytes = await collect(unpacked(request), request);
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

function collect(stream: Readable, request: Request): Promise<Buffer> {
  if (Number(request.get('content-length') ?? 0) > MAX_BYTES) return Promise.reject(refuseRest(request));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BYTES) return chunks.push(chunk);
      stream.removeAllListeners('data');
      request.unpipe();
      if (stream !== request) stream.destroy();
      reject(refuseRest(request));
    });
    stream.once('end', () => resolve(Buffer.concat(chunks)));
    stream.once('error', () => reject(new InvalidInput('the body cannot be unpacked', undefined, 'broken_encoding')));
    request.once('aborted', () => reject(new InvalidInput('the body ended too early', undefined, 'aborted')));
  });
}

/** What is still on its way is read and dropped, so that the client gets to see the answer. */
function refuseRest(request: Request): PlatformError {
  request.resume();
  return new PlatformError(413, 'too_large', 'the body is larger than 10 MB');
}

function parse(bytes: Buffer, request: Request, response: Response): unknown {
  const type = (request.get('content-type') ?? '').toLowerCase();
  const text = decode(bytes, /charset="?([^";\s]+)/.exec(type)?.[1] ?? 'utf-8');
  if (text.trim() === '') return {};
  try {
    const isDropping = MAY_NAME_PROTOTYPE.test(text) && !WITH_FREE_KEYS.test(request.path);
    return isDropping ? JSON.parse(text, dropPrototype) : JSON.parse(text);
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
 * Without this a key `__proto__` would become an own key that later copies could turn into a prototype. It costs a call
 * for each value, so it only runs where such a key may be.
 */
function dropPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

/** Bracket names and lists, as forms and queries have them. */
export function parseForm(text: string): unknown {
  return qs.parse(text, { depth: 10, arrayLimit: 1_000, parameterLimit: 50_000, allowPrototypes: false });
}
