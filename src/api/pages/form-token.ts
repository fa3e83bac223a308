import { createHmac, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { Forbidden } from '../../platform/errors';
import { html } from '../../rules/html';
import { isSameSecret } from '../../rules/same-secret';

const COOKIE = /(?:^|;\s*)form_id=([\w-]{22})(?:;|$)/;

/**
 * The hidden field by which a form proves that it is ours: only who knows the secret of the user's cookie can compute it. It is good
 * for one purpose, so that the field of one form is of no use in another.
 */
export function tokenField(secret: string, purpose: string) {
  return html`<input type="hidden" name="form_token" value="${tokenOf(secret, purpose)}">`;
}

/** Forbidden for a form that is not ours, or was made for another login. */
export function checkToken(given: unknown, secret: string, purpose: string): void {
  if (typeof given === 'string' && isSameSecret(given, tokenOf(secret, purpose))) return;
  throw new Forbidden('this form is out of date: open the page again', 'foreign_page');
}

/** What stands for the session of a browser that is not logged in; a cookie that is set when it is missing. */
export function visitorSecret(request: Request, response: Response): string {
  const known = visitorSecretIn(request);
  if (known !== undefined) return known;
  const secret = randomBytes(16).toString('base64url');
  response.append('Set-Cookie', `form_id=${secret}; Path=/; HttpOnly; SameSite=Lax${request.secure ? '; Secure' : ''}`);
  return secret;
}

/** The same, where the page with the form has set it before. */
export function visitorSecretIn(request: Request): string | undefined {
  return COOKIE.exec(request.get('cookie') ?? '')?.[1];
}

function tokenOf(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}
