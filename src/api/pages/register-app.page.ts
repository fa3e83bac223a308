import type { Express, NextFunction, Request, Response } from 'express';
import { type Html, html } from '../../platform/html';
import { isRecord } from '../../platform/is-record';
import type { PlainText, Words } from '../../platform/words/words';
import { sendsSession } from '../middlewares/session-token';
import { checkToken, tokenField } from './form-token';
import { wordsFor } from './language';
import { sendLogin, whoIsLoggedIn } from './login.page';
import { errorMessage, rootOf, sendPage, wantsPage } from './page';
import { findPageUser, forPage, type PageParts, type PageUser, textIn } from './page-user';

const PATH = '/oauth/register_app';

const TYPES = [
  ['web', 'Runs on a server, which keeps the secret'],
  ['browser', 'Runs in web pages, and can keep no secret'],
  ['native', 'Is installed on a phone or a computer'],
  ['service', 'A program of my own, for my own account only'],
] as const satisfies readonly (readonly [value: string, text: PlainText])[];

/** `GET /oauth/register_app`: posts to the operation of the path. */
export function installRegisterAppPage(app: Express, parts: PageParts): void {
  app.get(
    PATH,
    forPage(parts, async (request, response) => {
      const user = await findPageUser(request, response, parts);
      if (user) sendForm(request, response, { user });
      else sendLogin(request, response, { next: PATH });
    }),
  );
  app.post(PATH, (request: Request, response: Response, next: NextFunction) => {
    if (!wantsPage(request) || sendsSession(request)) return next();
    return forPage(parts, async () => {
      const user = await findPageUser(request, response, parts);
      if (!user) return sendLogin(request, response, { next: PATH, status: 401 });
      checkToken(textIn(request, 'form_token'), user.secret, PATH);
      const entered = enteredIn(request);
      request.body = entered;
      response.json = (body: unknown) => {
        sendAnswer(request, response, { user, entered, answer: isRecord(body) ? body : {} });
        return response;
      };
      next();
    })(request, response);
  });
}

interface Entered {
  name: string;
  description: string;
  type: string;
  callback_url: string[];
}

function enteredIn(request: Request): Entered {
  const lines = textIn(request, 'callback_url').split(/\s+/);
  const [name = '', description = '', type = ''] = ['name', 'description', 'type'].map((one) => textIn(request, one));
  return { name, description, type, callback_url: lines.filter((line) => line !== '') };
}

function sendAnswer(
  request: Request,
  response: Response,
  { user, entered, answer }: { user: PageUser; entered: Entered; answer: Record<string, unknown> },
): void {
  const { application } = answer;
  const words = wordsFor(request);
  if (response.statusCode >= 400 || !isRecord(application)) {
    sendForm(request, response, { user, entered, error: errorIn(answer, words) });
    return;
  }
  const body = html`<h1>${words.t('“{name}” is registered', { name: String(application.name) })}</h1>
<p class="message good" role="status">${words.t('Copy the secret now: it is shown only this once.')}</p>
<dl>
<dt>${words.t('Consumer key (OAuth 1.0a) or client id (OAuth 2)')}</dt><dd>${copied(String(application.consumer_key), words.t('Copy the id'), words)}</dd>
<dt>${words.t('Secret')}</dt><dd>${copied(String(application.consumer_secret), words.t('Copy the secret'), words)}</dd>
</dl>
<p><a href="${rootOf(request)}console/account/applications">${words.t('Continue to your applications')}</a></p>
<p class="quiet small">${words.t('There you can replace the secret if it is lost, or seen by others.')}</p>
${whoIsLoggedIn(request, user, PATH)}`;
  sendPage(request, response, {
    ...{ title: words.t('Registered'), body, words, status: response.statusCode, script: 'copy' },
    referrer: 'same-origin',
  });
}

/** A text with a button that copies it, where scripts run. */
function copied(text: string, label: string, words: Words): Html {
  return html`<span class="code" data-copy="${label}" data-copied="${words.t('Copied.')}">${text}</span>`;
}

/** The first wrong field by its label, or the message. */
function errorIn({ error, fields }: Record<string, unknown>, words: Words): string {
  const [first] = Object.entries(isRecord(fields) ? fields : {});
  if (!first) return words.said(String(error));
  const [path, why] = first;
  const field = path.replace(/^application\./, '');
  const label = LABELS[field];
  return `${label ? words.t(label) : field} ${words.said(String(why))}`;
}

const LABELS: Record<string, PlainText> = {
  name: 'the name',
  description: 'the description',
  type: 'where it runs',
  callback_url: 'an address to return to',
};

function sendForm(
  request: Request,
  response: Response,
  { user, entered, error }: { user: PageUser; entered?: Entered; error?: string },
): void {
  const { name = '', description = '', type = 'web', callback_url = [] } = entered ?? {};
  const words = wordsFor(request);
  const title = words.t('Register an application');
  const body = html`${errorMessage(error)}
<h1>${title}</h1>
<p class="quiet">${words.t('It can then ask users whether it may use their account, without ever seeing their password.')}</p>
<form method="post">
${tokenField(user.secret, PATH)}
<div class="field">
<label for="name">${words.t('Name')}</label>
<input id="name" name="name" maxlength="255" required value="${name}" aria-describedby="name-hint">
<p class="hint" id="name-hint">${words.t('Users see it when they are asked.')}</p>
</div>
<div class="field">
<label for="description">${words.t('What it does')} <span class="quiet">${words.t('(optional)')}</span></label>
<input id="description" name="description" maxlength="10000" value="${description}">
</div>
<fieldset class="field"><legend>${words.t('Where it runs')}</legend>
${typeChoices(type, words)}
</fieldset>
<div class="field">
<label for="callback_url">${words.t('Addresses to return to')}</label>
<textarea id="callback_url" name="callback_url" rows="3" spellcheck="false" aria-describedby="callback-hint">
${callback_url.join('\n')}</textarea>
<p class="hint" id="callback-hint">${words.t('One a line, such as https://weather.example.org/allowed. A service of your own needs none.')}</p>
</div>
<p class="buttons"><button>${words.t('Register')}</button></p>
</form>
${whoIsLoggedIn(request, user, PATH)}`;
  const status = error ? response.statusCode : 200;
  sendPage(request, response, { title, body, words, status, referrer: 'same-origin' });
}

function typeChoices(chosen: string, words: Words): Html[] {
  return TYPES.map(
    ([value, text]) => html`<label class="choice">
<input type="radio" name="type" value="${value}" required${value === chosen && html` checked`}> <span>${words.t(text)}</span></label>`,
  );
}
