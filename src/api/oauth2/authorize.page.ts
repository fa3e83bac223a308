import type { Express, Request, Response } from 'express';
import type { OAuth2Request, RefusedRequest } from '../../people';
import { html } from '../../platform/html';
import { refuseOtherMethods } from '../middlewares/method-not-allowed';
import { redirectBack } from '../oauth1/oauth1-endpoints';
import { placeOf, sendConsent } from '../pages/consent.page';
import { checkToken, tokenField } from '../pages/form-token';
import { wordsFor } from '../pages/language';
import { sendLogin } from '../pages/login.page';
import { sendPage } from '../pages/page';
import { findPageUser, forPage, type PageParts, type PageUser, textIn } from '../pages/page-user';
import { issuerOf } from './metadata';
import { readAuthorizationParameters } from './parameters';

const PATH = '/oauth2/authorize';

/** `/oauth2/authorize`: users decide and return to the application with a code or an error. */
export function installAuthorizePage(app: Express, parts: PageParts): void {
  app.get(
    PATH,
    forPage(parts, (request, response) => ask(request, response, parts)),
  );
  app.post(
    PATH,
    forPage(parts, (request, response) => decide(request, response, parts)),
  );
  app.all(PATH, refuseOtherMethods('GET', 'POST'));
}

async function ask(request: Request, response: Response, parts: PageParts): Promise<void> {
  const user = await findPageUser(request, response, parts);
  const asked = await read(request, parts);
  if (!user) return sendLogin(request, response, { next: request.url });
  if ('redirectTo' in asked) return sendRefused(request, response, { asked, user, parts });
  const { application, redirectUri: callback, scopes } = asked;
  const query = queryOf(request);
  const fields = tokenField(user.secret, purposeOf(query));
  sendConsent(request, response, { application, callback, scopes, user, fields, path: `${PATH.slice(1)}?${query}` });
}

/** The form posts to the address with its request, so both are read in the same way. */
async function decide(request: Request, response: Response, parts: PageParts): Promise<void> {
  const user = await findPageUser(request, response, parts);
  const asked = await read(request, parts);
  const query = queryOf(request);
  if (!user) return response.redirect(303, `${PATH}?${query}`);
  if ('redirectTo' in asked) return sendRefused(request, response, { asked, user, parts });
  checkToken(textIn(request, 'form_token'), user.secret, purposeOf(query));
  const { oauth2Consents } = parts.services;
  const issuer = issuerOf(request, parts.config.publicUrl);
  const isAllowed = textIn(request, 'action') === 'ALLOW';
  redirectBack(
    response,
    isAllowed ? await oauth2Consents.allow(user, asked, issuer) : oauth2Consents.deny(asked, issuer),
  );
}

/**
 * Anyone can register an application, so we redirect to none automatically (RFC 9700 section 4.11.2), except one that
 * the user already allows. To any other the user goes by a click.
 */
async function sendRefused(
  request: Request,
  response: Response,
  { asked, user, parts }: { asked: RefusedRequest; user: PageUser; parts: PageParts },
): Promise<void> {
  const { application, redirectUri, description, redirectTo } = asked;
  if (await parts.services.authorizations.allows(user.userId, application.id))
    return redirectBack(response, redirectTo);
  const words = wordsFor(request);
  const { name } = application;
  const problem = html`<span lang="en">${description}</span>`;
  const back = html`<a href="${redirectTo}">${words.t('go back')}</a>`;
  const body = html`<h1>${words.t('“{name}” cannot ask for this', { name })}</h1>
<p role="alert">${words.tx('The application sent you here with a wrong request: {problem}. It gets no access to your account by it.', { problem })}</p>
<p>${words.tx('You can close this page, or {back} to {place}.', { back, place: placeOf(redirectUri, words) })}</p>
<p class="quiet small">${words.t('The application was registered by a user of this platform and is not checked by us.')}</p>`;
  const title = words.t('{name} cannot ask for this', { name });
  sendPage(request, response, { title, body, words, status: 400, referrer: 'no-referrer' });
}

function read(request: Request, { services, config }: PageParts): Promise<OAuth2Request | RefusedRequest> {
  return services.oauth2Consents.read(readAuthorizationParameters(request), issuerOf(request, config.publicUrl));
}

function queryOf({ originalUrl }: Request): string {
  return originalUrl.slice(originalUrl.indexOf('?') + 1);
}

/** A form is valid for the one request that it shows. */
function purposeOf(query: string): string {
  return `consent to ?${query}`;
}
