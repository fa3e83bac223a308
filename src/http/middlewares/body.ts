import type { NextFunction, Request, Response } from 'express';
import { InvalidInput, PlatformError, TooMany, Unavailable } from '../../errors';
import { FairGate } from '../../fair-gate';
import { readBytes, SMALL_BYTES } from './body-reader';
import { ByteBudget } from './byte-budget';
import { parseForm } from './form';
import { checkJsonLimits } from './json-limits';
import { readSessionToken } from './session-token';

/** Large bodies that are parsed and answered at the same time; small ones never wait. */
const LARGE_AT_ONCE = 2;
/** Large bodies of one user that may wait for that. */
const LARGE_WAITING = 100;
/** Unpacked bodies, until their requests are answered. */
const HELD = { ofUser: 32 * 1024 * 1024, ofAll: 128 * 1024 * 1024 };
const REFUSALS = {
  ofUser: () => new TooMany('too many of your large bodies are being uploaded', 1),
  ofAll: () => new Unavailable('too much is being uploaded at the moment', 1),
};
/** `__proto__` as a key, or an escape that could spell a letter of it. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u00(?:5f|7[024]|6f)/i;

/** Keys are names there that callers choose, any of them; they are read into a map. */
const WITH_FREE_KEYS = /^\/sensors\/[^/]+\/metatags$/;

/** Mail programs post a body of a type of their choice there (RFC 8058); everything that counts is in the address. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['/unsubscribe', '/confirm']);

/** Finds the user of a session, so that they can be charged for a large body before it is read. */
export type FindUser = (token: string) => Promise<{ userId: number } | null>;

/**
 * Reads the body, whatever its label: JSON first; a form only when it is no JSON and labelled as one. Up to 64 KB anybody
 * may send. More needs a session in the header, the cookie or the query; its memory is charged to the user, and such bodies
 * are handled a few at a time, by turns of their users.
 */
export function readBody(findUser: FindUser) {
  const budget = new ByteBudget(HELD, REFUSALS);
  const gate = new FairGate<number>(LARGE_AT_ONCE, LARGE_WAITING);

  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    request.body = {};
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    if (WITHOUT_BODY.has(request.path)) {
      request.resume();
      return next();
    }
    const userId = isSurelySmall(request) ? undefined : await userOf(request, findUser);
    let held = 0;
    const closed = new AbortController();
    response.once('close', () => {
      closed.abort();
      if (userId !== undefined) budget.release(userId, held);
    });
    const bytes = await readBytes(request, response, (more) => {
      if (userId === undefined) throw needsSession();
      budget.charge(userId, more);
      held += more;
    });
    if (bytes.length > SMALL_BYTES && userId !== undefined) {
      response.once('close', await gate.enter(userId, closed.signal));
    }
    if (bytes.length > 0) request.body = parse(bytes, request, response);
    next();
  };
}

/** Its session, which may be in the body, is looked up later, with all others. */
function isSurelySmall(request: Request): boolean {
  const length = request.get('content-length');
  const encoding = request.get('content-encoding') ?? 'identity';
  return length !== undefined && Number(length) <= SMALL_BYTES && encoding === 'identity';
}

async function userOf(request: Request, findUser: FindUser): Promise<number | undefined> {
  const given = readSessionToken(request);
  return given && (await findUser(given.token))?.userId;
}

function needsSession(): PlatformError {
  const where = 'in the header, the cookie or the query';
  return new PlatformError(413, 'too_large', `a body of more than 64 KB needs a valid session ${where}`);
}

function parse(bytes: Buffer, request: Request, response: Response): unknown {
  const type = (request.get('content-type') ?? '').toLowerCase();
  const text = decode(bytes, /charset="?([^";\s]+)/.exec(type)?.[1] ?? 'utf-8');
  if (text.trim() === '') return {};
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const looksLikeJson = /^\s*[[{]/.test(text);
  if (looksLikeJson || !isForm) checkJsonLimits(bytes);
  try {
    const parsed: unknown = JSON.parse(text);
    if (MAY_NAME_PROTOTYPE.test(text) && !WITH_FREE_KEYS.test(request.path)) dropPrototypes(parsed);
    return parsed;
  } catch (error) {
    // A number or a quoted text alone would be JSON as well; a form never begins like an object or a list.
    if (isForm && !(response.locals.jsonSuffix === true && looksLikeJson)) return parseForm(text);
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
