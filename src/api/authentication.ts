import type { Request } from 'express';
import type { SessionsService } from '../people';
import type { Caller, Identity } from '../platform/caller';
import { Forbidden, InvalidInput, Unauthorized } from '../platform/errors';
import { isForeignPage } from './middlewares/foreign-page';
import { readSessionHeader, readSessionParameter, readSessionToken, sendsSession } from './middlewares/session-token';
import { visitorOf } from './visitor';

const OTHER_HEADERS = ['authorization', 'x-api-key', 'api-key', 'api_key', 'x-auth-token'];
const ADVICE = 'a valid session is required; send a key as Authorization: Bearer …';

/** Finds users by one kind of credential other than a session. */
export interface CredentialFinder {
  /** Valid or not. */
  isIn(request: Request): boolean;
  /** The cached identity, which may have ended since. */
  lookUp(request: Request): Identity | undefined;
  find(request: Request): Promise<Identity>;
  findAgain(request: Request): Promise<Identity>;
  /** The user to charge for a large body, by the head of the request; undefined without one. */
  findPayer(request: Request): Promise<number | undefined>;
}

export interface Authentication {
  sessions: Pick<SessionsService, 'find' | 'lookUp'>;
  finders: readonly CredentialFinder[];
}

/**
 * Identifies the caller. Throws 401 without a valid credential, 400 for two, 403 for a page of another site that
 * changes something with only the cookie. A cookie in addition to a key or a token is ignored.
 */
export async function authenticate(
  request: Request,
  { sessions, finders }: Authentication,
  isChange: boolean,
): Promise<Caller> {
  const [finder, another] = finders.filter((one) => one.isIn(request));
  if (!finder) return { ...visitorOf(request), ...(await findBySession(request, sessions, isChange)) };
  if (another || sendsSession(request)) {
    throw new InvalidInput('send a session, a key or a token, not several of them');
  }
  return { ...visitorOf(request), ...(await finder.find(request)) };
}

/** Returns the cached identity of exactly one credential in a header. The credential may have ended since. */
export function lookUpIdentity(request: Request, { sessions, finders }: Authentication): Identity | undefined {
  const session = readSessionHeader(request.headers);
  const [finder, another] = finders.filter((one) => one.isIn(request));
  if (finder)
    return another || session !== undefined || readSessionParameter(request) ? undefined : finder.lookUp(request);
  return session === undefined ? undefined : sessions.lookUp(session);
}

/** Checks an authenticated request again, which changes nothing and whose response continues. */
export async function authenticateAgain(request: Request, { sessions, finders }: Authentication): Promise<Identity> {
  const finder = finders.find((one) => one.isIn(request));
  return finder ? finder.findAgain(request) : findBySession(request, sessions, false);
}

/** The user to charge for a large body, before it is read; undefined without one. */
export async function findPayer(request: Request, { sessions, finders }: Authentication): Promise<number | undefined> {
  const finder = finders.find((one) => one.isIn(request));
  if (finder) return finder.findPayer(request);
  const given = readSessionToken(request);
  return given && (await sessions.find(given.token))?.userId;
}

async function findBySession(
  request: Request,
  sessions: Authentication['sessions'],
  isChange: boolean,
): Promise<Identity> {
  const given = readSessionToken(request);
  if (!given) throw new Unauthorized(sendsKeyElsewhere(request) ? ADVICE : undefined);
  // Browsers add the cookie automatically: a page of another site has to send a session explicitly.
  const token =
    given.by === 'cookie' && isChange && isForeignPage(request) ? readSessionParameter(request) : given.token;
  if (token === undefined) {
    throw new Forbidden('a page of another site may not use the session cookie for this', 'foreign_page');
  }
  const identity = await sessions.find(token);
  if (!identity) throw new Unauthorized('the session is unknown or has expired');
  return identity;
}

/** True for something like a credential in a place that we do not read. */
function sendsKeyElsewhere({ headers }: Request): boolean {
  return OTHER_HEADERS.some((name) => headers[name] !== undefined);
}
