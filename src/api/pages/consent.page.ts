import type { Request, Response } from 'express';
import { type Html, html } from '../../platform/html';
import { parseUrl } from '../../platform/parse-url';
import { OF_WRITE, SCOPES, type Scope } from '../../platform/scopes';
import type { PlainText, Words } from '../../platform/words/words';
import { wordsFor } from './language';
import { whoIsLoggedIn } from './login.page';
import { rootOf, sendPage } from './page';
import type { PageUser } from './page-user';

export interface Consent {
  application: { name: string; description: string };
  scopes: readonly Scope[];
  /** `oob` if the user is shown a code. */
  callback: string;
  user: PageUser;
  /** Takes the decision as `action`, ALLOW or DENY. Without a leading `/`. */
  path: string;
  /** Hidden fields, including the token. */
  fields: Html;
  /** The user chooses `tok_expir`. */
  withEnd?: boolean;
}

/** Scopes in plain words. */
const RIGHTS: Record<Scope, PlainText> = {
  read: 'See what you see here: your sensors and their data, triggers, notifications and groups, and your name and contact details',
  'data:write': 'Upload and delete data of your sensors',
  'sensors:create': 'Create sensors for what your devices report',
  'rules:propose': 'Try changed rules next to yours, without changing a rule or notifying anybody',
  write: 'Create, change, share and delete what is yours: sensors and their data, triggers, notifications and groups',
};

const ENDS = [
  ['1', 'One hour'],
  ['2', 'One day'],
  ['3', 'One week'],
  ['4', 'One month'],
  ['0', 'Until I revoke it'],
] as const satisfies readonly (readonly [value: string, text: PlainText])[];

export function sendConsent(request: Request, response: Response, consent: Consent): void {
  const { application, callback, user, path, fields, withEnd } = consent;
  const words = wordsFor(request);
  const { name } = application;
  const title = words.t('Allow {name}?', { name });
  const body = html`<h1>${words.t('Allow “{name}” to use your account?', { name })}</h1>
${application.description !== '' && html`<p class="quiet">${application.description}</p>`}
<p>${words.t('If you allow it, this application can:')}</p>
<ul class="rights">
${rightsOf(consent.scopes, words)}
<li class="not quiet">${words.t('It can never see your password, change your account, or reach your keys and other applications.')}</li>
</ul>
<form method="post" action="${rootOf(request)}${path}">
${fields}
${withEnd && endField(words)}
<p class="quiet small">${destination(callback, words)} ${words.t('The application was registered by a user of this platform and is not checked by us: allow it only if you know it.')}</p>
<p class="buttons"><button name="action" value="ALLOW">${words.t('Allow')}</button>
<button class="plain" name="action" value="DENY">${words.t('Do not allow')}</button></p>
</form>
${whoIsLoggedIn(request, user)}`;
  sendPage(request, response, { title, body, words, formsMayLeadTo: sourceOf(callback), referrer: 'same-origin' });
}

export function rightsOf(scopes: readonly Scope[], words: Words): Html[] {
  const held = SCOPES.filter((scope) => scopes.includes(scope));
  // `write` includes the narrower ones, and its text says so.
  const shown = held.filter((scope) => !OF_WRITE.has(scope) || !scopes.includes('write'));
  return shown.map((scope) => html`<li>${words.t(RIGHTS[scope])}</li>`);
}

function endField(words: Words): Html {
  const options = ENDS.map(([value, text]) => html`<option value="${value}">${words.t(text)}</option>`);
  return html`<div class="field"><label for="tok_expir">${words.t('For how long?')}</label>
<select id="tok_expir" name="tok_expir">${options}</select></div>`;
}

function destination(callback: string, words: Words): Html {
  if (callback === 'oob') return words.tx('If you allow it, you are shown a code to enter in the application.');
  return words.tx('You then return to {place}.', { place: placeOf(callback, words) });
}

/** Names the destination in words. */
export function placeOf(callback: string, words: Words): Html {
  const url = parseUrl(callback);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb ? html`<strong>${url.host}</strong>` : words.tx('the application on this device');
}

/** A source of a content security policy, which also applies to redirects after a form. */
function sourceOf(callback: string): string[] {
  const url = parseUrl(callback);
  if (!url) return [];
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  // Separators in a policy; a host name may contain them.
  return [isWeb && !/[;,\s]/.test(url.host) ? `${url.protocol}//${url.host}` : url.protocol];
}
