import type { Request, Response } from 'express';
import { nameActor } from '../../audit';
import type { Container } from '../../container';
import type { Identity } from '../../platform/caller';
import { AccountDisabled, Forbidden, PlatformError, SecondFactorMissing } from '../../platform/errors';
import { type Html, html } from '../../platform/html';
import { isForeignChange } from '../middlewares/foreign-page';
import { limitRequests } from '../middlewares/limit-requests';
import { readSessionToken } from '../middlewares/session-token';
import type { RequestAdmission } from '../request-admission';
import { visitorOf } from '../visitor';
import { wordsFor } from './language';
import { sendPage } from './page';

/** `secret` is in their cookie. */
export interface PageUser extends Identity {
  secret: string;
}

/** The dependencies of pages. */
export interface PageParts extends Pick<Container, 'services' | 'requestQuota' | 'secretBox' | 'logger' | 'database'> {
  config: Pick<Container['config'], 'publicUrl'>;
  admission: RequestAdmission;
}

/**
 * Finds the user by the cookie only; undefined without a login. Counts the request for the user, or for the address.
 * Throws AccountDisabled, and SecondFactorMissing for an account that lacks a required factor.
 */
export async function findPageUser(
  request: Request,
  response: Response,
  parts: PageParts,
): Promise<PageUser | undefined> {
  const user = await findAnyUser(request, response, parts);
  if (user instanceof AccountDisabled) throw user;
  if (user?.credential.kind === 'session' && user.credential.lacksFactor) throw new SecondFactorMissing();
  if (user) nameActor(user);
  return user;
}

/**
 * For pages that log in or out, which name their actor themselves: neither a disabled account nor a missing factor keeps a
 * browser from another login.
 */
export async function findPageVisitor(
  request: Request,
  response: Response,
  parts: PageParts,
): Promise<PageUser | undefined> {
  const user = await findAnyUser(request, response, parts);
  return user instanceof AccountDisabled ? undefined : user;
}

async function findAnyUser(
  request: Request,
  response: Response,
  { services, requestQuota }: PageParts,
): Promise<PageUser | AccountDisabled | undefined> {
  const given = readSessionToken(request);
  const found = given?.by === 'cookie' ? await services.sessions.find(given.token).catch(disabled) : null;
  const identity = found instanceof AccountDisabled ? null : found;
  const owner = identity ? `user:${identity.userId}` : `address:${visitorOf(request).network}`;
  await limitRequests(requestQuota, owner, response);
  if (found instanceof AccountDisabled) return found;
  return given && identity ? { ...identity, secret: given.token } : undefined;
}

function disabled(error: unknown): AccountDisabled {
  if (error instanceof AccountDisabled) return error;
  throw error;
}

/** Links to other pages. */
type WaysOn = (request: Request) => Html;

/** Holds a permit of the address. Refuses forms of other sites, and shows errors on a page. */
export function forPage(
  { admission }: Pick<PageParts, 'admission'>,
  handle: (request: Request, response: Response) => Promise<void>,
  waysOn?: WaysOn,
) {
  return async (request: Request, response: Response) => {
    try {
      if (isForeignChange(request)) throw new Forbidden('this form was sent by another site', 'foreign_page');
      await admission.run(visitorOf(request), 'change', response, () => handle(request, response));
    } catch (error) {
      if (!(error instanceof PlatformError) || response.headersSent) throw error;
      sendProblem(request, response, error, waysOn);
    }
  };
}

export function textIn(request: Request, field: string): string {
  const value: unknown = Object(request.body)[field];
  return typeof value === 'string' ? value : '';
}

export function sendProblem(
  request: Request,
  response: Response,
  { status, message, retryAfterSeconds }: Pick<PlatformError, 'status' | 'message' | 'retryAfterSeconds'>,
  waysOn?: WaysOn,
): void {
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
  const words = wordsFor(request);
  const title = words.t('That is not possible');
  const text = words.said(message);
  const body = html`<h1>${title}</h1>
${waysOn?.(request)}
<p role="alert">${text.charAt(0).toUpperCase()}${text.slice(1)}.</p>`;
  sendPage(request, response, { title, body, status, words, referrer: 'same-origin' });
}
