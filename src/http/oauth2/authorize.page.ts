import type { Express, Request, Response } from 'express';
import type { OAuth2Request } from '../../services/oauth2/oauth2-consents.service';
import { refuseOtherMethods } from '../middlewares/method-not-allowed';
import { redirectBack } from '../oauth1/oauth1-endpoints';
import { sendConsent } from '../pages/consent.page';
import { checkToken, tokenField } from '../pages/form-token';
import { sendLogin } from '../pages/login.page';
import { findPageUser, forPage, type PageParts, textIn } from '../pages/page-user';
import { issuerOf } from './metadata';
import { readAuthorizationParameters } from './parameters';

const PATH = '/oauth2/authorize';

/** `/oauth2/authorize`: an application sends users here, who decide on a page and go back with a code or an error. */
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
  // Everybody can register an application: a link to us must not lead to its site without a word (RFC 9700 section 4.11.2).
  if (!user) return sendLogin(request, response, { next: request.url });
  if ('redirectTo' in asked) return redirectBack(response, asked.redirectTo);
  const { application, redirectUri: callback, scopes } = asked;
  const query = queryOf(request);
  const fields = tokenField(user.secret, purposeOf(query));
  sendConsent(request, response, { application, callback, scopes, user, fields, path: `${PATH.slice(1)}?${query}` });
}

/** The form posts to the address with the request that it shows, so that both are read in the same way. */
async function decide(request: Request, response: Response, parts: PageParts): Promise<void> {
  const user = await findPageUser(request, response, parts);
  const asked = await read(request, parts);
  const query = queryOf(request);
  if (!user) return response.redirect(303, `${PATH}?${query}`);
  if ('redirectTo' in asked) return redirectBack(response, asked.redirectTo);
  checkToken(textIn(request, 'form_token'), user.secret, purposeOf(query));
  const { oauth2Consents } = parts.services;
  const issuer = issuerOf(request, parts.config.publicUrl);
  const isAllowed = textIn(request, 'action') === 'ALLOW';
  redirectBack(
    response,
    isAllowed ? await oauth2Consents.allow(user.userId, asked, issuer) : oauth2Consents.deny(asked, issuer),
  );
}

function read(request: Request, { services, config }: PageParts): Promise<OAuth2Request | { redirectTo: string }> {
  return services.oauth2Consents.read(readAuthorizationParameters(request), issuerOf(request, config.publicUrl));
}

function queryOf({ originalUrl }: Request): string {
  return originalUrl.slice(originalUrl.indexOf('?') + 1);
}

/** A form is good for the one request that it shows. */
function purposeOf(query: string): string {
  return `consent to ?${query}`;
}
