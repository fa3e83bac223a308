import type { Express, Request } from 'express';
import { html } from '../../platform/html';
import { type FormView, installFormPage, type Said } from './form-page';
import { endedLink, headed } from './headed';
import { errorMessage } from './page';

/** `GET /confirm` of a mail's link. Only a button confirms: mail scanners follow links. */
export function installConfirmPage(app: Express): void {
  installFormPage(app, '/confirm', {
    form,
    dead: (words) =>
      endedLink(
        words,
        'The user no longer asks for your consent, or the link was not copied as a whole. Nothing has been changed.',
      ),
    done,
  });
}

function form({ request, words }: FormView, error?: string): Said {
  if (isAboutEverybody(request)) {
    const body = html`<p>${words.t('You have said that no account of this platform may send mails to you. If you take that back, accounts that you have agreed to can do so again, and others can ask you.')}</p>
<form method="post"><p class="buttons"><button>${words.t('Take mails again')}</button></p></form>`;
    return headed(words, 'Take mails of this platform again?', body, errorMessage(error));
  }
  const body = html`<p>${words.t('A user of this platform, you yourself if you have just registered, would like to send alerts of their sensors to your address. They are sent only if you agree, and you can stop them at any time by a link in each mail.')}</p>
<form method="post"><p class="buttons"><button>${words.t('Receive alerts')}</button></p></form>
<p class="quiet small">${words.t('If you do not want them, just close this page.')}</p>`;
  return headed(words, 'Receive alerts by mail?', body, errorMessage(error));
}

function done({ request, words }: FormView): Said {
  if (isAboutEverybody(request)) {
    const text = 'What you have decided about single accounts counts again. Links in their mails change it.';
    return headed(words, 'You take mails again', html`<p role="status">${words.t(text)}</p>`);
  }
  const text = 'You have agreed to alerts from this user. The link at the end of each mail stops them.';
  return headed(words, 'You receive alerts', html`<p role="status">${words.t(text)}</p>`);
}

function isAboutEverybody({ query }: Request): boolean {
  return query.from === 'everybody';
}
