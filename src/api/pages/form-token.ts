import { createHmac, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { Forbidden } from '../../platform/errors';
import { html } from '../../platform/html';
import { isSameSecret } from '../../platform/secrets';

const COOKIE = /(?:^|;\s*)form_id=([\w-]{22})(?:;|$)/;

/** Proves that a form is ours: computing it needs the secret of the user's cookie. Valid for one purpose. */
export function tokenField(secret: string, purpose: string) {
  return html`<input type="hidden" name="form_token" value="${tokenOf(secret, purpose)}">`;
}

/** Throws Forbidden for a form of another site or login. */
export function checkToken(given: unknown, secret: string, purpose: string): void {
  if (typeof given === 'string' && isSameSecret(given, tokenOf(secret, purpose))) return;
  throw new Forbidden('this form is out of date: open the page again', 'foreign_page');
}

/** Stands in for a session in a browser without login. Sets the cookie if it is missing. */
export function visitorSecret(request: Request, response: Response): string {
  const known = visitorSecretIn(request);
  if (known !== undefined) return known;
  const secret = randomBytes(16).toString('base64url');
  response.append('Set-Cookie', `form_id=${secret}; Path=/; HttpOnly; SameSite=Lax${request.secure ? '; Secure' : ''}`);
  return secret;
}

/** Undefined if no page has set the cookie. */
export function visitorSecretIn(request: Request): string | undefined {
  return COOKIE.exec(request.get('cookie') ?? '')?.[1];
}

function tokenOf(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}
