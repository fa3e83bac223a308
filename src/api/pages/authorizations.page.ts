import type { Express, NextFunction, Request, Response } from 'express';
import type { ListedAuthorization } from '../../people';
import { type Html, html } from '../../platform/html';
import { SCOPES } from '../../platform/scopes';
import type { Words } from '../../platform/words/words';
import { sendsSession } from '../middlewares/session-token';
import { rightsOf } from './consent.page';
import { checkToken, tokenField } from './form-token';
import { wordsFor } from './language';
import { sendLogin, whoIsLoggedIn } from './login.page';
import { sendPage, wantsPage } from './page';
import { findPageUser, forPage, type PageParts, type PageUser, sendProblem, textIn } from './page-user';

const PATH = '/oauth/authorizations';
const SHOWN = 1_000;

/**
 * `GET /oauth/authorizations` in a browser; all other clients get the JSON. Buttons post to the operation that deletes
 * one.
 */
export function installAuthorizationsPage(app: Express, parts: PageParts): void {
  const isForPeople = (request: Request) =>
    wantsPage(request) && !sendsSession(request) && !request.get('authorization');
  app.get(PATH, (request: Request, response: Response, next: NextFunction) => {
    if (!isForPeople(request)) return next();
    return forPage(parts, async () => {
      const user = await findPageUser(request, response, parts);
      if (!user) return sendLogin(request, response, { next: PATH });
      const page = { offset: 0, limit: SHOWN, withTotal: false };
      const { items } = await parts.services.authorizations.list(user.userId, page);
      sendList(request, response, user, items);
    })(request, response);
  });
  app.delete(`${PATH}/:id`, (request: Request, response: Response, next: NextFunction) => {
    if (!isForPeople(request)) return next();
    return forPage(parts, async () => {
      const user = await findPageUser(request, response, parts);
      if (!user) return sendLogin(request, response, { next: PATH, status: 401 });
      checkToken(textIn(request, 'form_token'), user.secret, PATH);
      response.json = (body: unknown) => {
        const message = String(Object(body).error);
        if (response.statusCode < 400 || response.statusCode === 404) response.redirect(303, PATH);
        else sendProblem(request, response, { status: response.statusCode, message, retryAfterSeconds: undefined });
        return response;
      };
      next();
    })(request, response);
  });
}

function sendList(request: Request, response: Response, user: PageUser, items: readonly ListedAuthorization[]): void {
  const words = wordsFor(request);
  const list = html`<p class="quiet">${words.t("Revoking ends an application's access at once. It can ask you again.")}</p>
<ul class="items">${items.map((item) => toItem(item, user, words))}</ul>`;
  const none = html`<p>${words.t('No application may use your account.')}</p>`;
  const title = words.t('Applications that you allow');
  const body = html`<h1>${title}</h1>
${items.length === 0 ? none : list}
${whoIsLoggedIn(request, user, PATH)}`;
  sendPage(request, response, { title, body, words, wide: true, referrer: 'same-origin' });
}

function toItem(
  { id, application, scopes, createdMs, expiresMs, lastUsedMs }: ListedAuthorization,
  user: PageUser,
  words: Words,
): Html {
  const held = SCOPES.filter((scope) => scopes.includes(scope));
  const heading = `application-${id}`;
  const day = words.day(createdMs);
  return html`<li>
<h2 id="${heading}">${application.name}</h2>
<ul class="rights">${rightsOf(held, words)}</ul>
<p class="quiet small">${
    expiresMs === null
      ? words.t('Allowed on {day}, without an end.', { day })
      : words.t('Allowed on {day}, until {end}.', { day, end: words.day(expiresMs) })
  }
${lastUsedMs === null ? words.t('Not used yet.') : words.t('Last used on {day}.', { day: words.day(lastUsedMs) })}</p>
<form method="post" action="authorizations/${id}">
<input type="hidden" name="_METHOD" value="DELETE">
${tokenField(user.secret, PATH)}
<button class="danger" id="revoke-${id}" aria-labelledby="revoke-${id} ${heading}">${words.t('Revoke')}</button>
</form>
</li>`;
}
