import type { Express, Request, Response } from 'express';
import { OAUTH1_SCOPES, type Outcome } from '../../people';
import { InvalidInput, OAuth1Refused } from '../../platform/errors';
import { html } from '../../platform/html';
import type { Words } from '../../platform/words/words';
import { refuseOtherMethods } from '../middlewares/method-not-allowed';
import { sendConsent } from '../pages/consent.page';
import { checkToken, tokenField } from '../pages/form-token';
import { wordsFor } from '../pages/language';
import { sendLogin } from '../pages/login.page';
import { type Page, sendPage } from '../pages/page';
import { findPageUser, forPage, type PageParts, textIn } from '../pages/page-user';
import { redirectBack } from './oauth1-endpoints';

const DECIDE = '/oauth/provider_authorize';

export function installOAuth1Pages(app: Express, parts: PageParts): void {
  app.get(
    '/oauth/authorize',
    forPage(parts, (request, response) => ask(request, response, parts)),
  );
  // Some applications post the token. That changes nothing: the browser opens the page.
  app.post('/oauth/authorize', (request: Request, response: Response) => {
    const token = textIn(request, 'oauth_token');
    response.redirect(303, `/oauth/authorize?${new URLSearchParams({ oauth_token: token }).toString()}`);
  });
  app.post(
    DECIDE,
    forPage(parts, (request, response) => decide(request, response, parts)),
  );
  app.all('/oauth/authorize', refuseOtherMethods('GET', 'POST'));
  app.all(DECIDE, refuseOtherMethods('POST'));
}

async function ask(request: Request, response: Response, parts: PageParts): Promise<void> {
  const user = await findPageUser(request, response, parts);
  const token = String(request.query.oauth_token ?? '');
  const { application, callback } = await parts.services.oauth1Consents.find(token, user?.userId).catch(inWords);
  if (!user) return sendLogin(request, response, { next: request.url });
  const fields = html`${tokenField(user.secret, purposeOf(token))}
<input type="hidden" name="oauth_token" value="${token}">`;
  const path = DECIDE.slice(1);
  sendConsent(request, response, { application, callback, scopes: OAUTH1_SCOPES, user, path, fields, withEnd: true });
}

async function decide(request: Request, response: Response, parts: PageParts): Promise<void> {
  const user = await findPageUser(request, response, parts);
  const token = textIn(request, 'oauth_token');
  if (!user)
    return response.redirect(303, `/oauth/authorize?${new URLSearchParams({ oauth_token: token }).toString()}`);
  checkToken(textIn(request, 'form_token'), user.secret, purposeOf(token));
  const action = textIn(request, 'action') === 'ALLOW' ? 'ALLOW' : 'DENY';
  const decision = { token, action, tokExpir: textIn(request, 'tok_expir') } as const;
  const outcome = await parts.services.oauth1Consents.decide(user, decision).catch(inWords);
  if (typeof outcome === 'object' && 'redirectTo' in outcome) return redirectBack(response, outcome.redirectTo);
  sendOutcome(request, response, outcome);
}

function sendOutcome(request: Request, response: Response, outcome: Exclude<Outcome, { redirectTo: string }>): void {
  const words = wordsFor(request);
  const said = outcome === 'refused' ? toRefusal(words) : toCode(outcome.verifier, words);
  sendPage(request, response, { ...said, words, referrer: 'no-referrer' });
}

function toRefusal(words: Words): Pick<Page, 'title' | 'body'> {
  return {
    title: words.t('Not allowed'),
    body: html`<h1>${words.t('The application is not allowed')}</h1>
<p role="status">${words.t('By this request it gets no access to your account. You can close this page.')}</p>`,
  };
}

function toCode(verifier: string, words: Words): Pick<Page, 'title' | 'body'> {
  return {
    title: words.t('Your code'),
    body: html`<h1>${words.t('Enter this code in the application')}</h1>
<p role="status"><span class="code large">${verifier}</span></p>
<p class="quiet">${words.t('Give it to nobody else. After that you can close this page.')}</p>`,
  };
}

/** An error meant for an application's library, in words for the user who is sent here. */
function inWords(error: unknown): never {
  if (!(error instanceof OAuth1Refused)) throw error;
  throw new InvalidInput(
    'this request is unknown, too old or already decided: begin again in the application',
    undefined,
    'dead_token',
  );
}

/** A form is valid for the one request that it shows. */
function purposeOf(token: string): string {
  return `consent to ${token}`;
}
