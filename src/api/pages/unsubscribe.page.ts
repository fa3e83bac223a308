import type { Express, Request } from 'express';
import { html } from '../../platform/html';
import type { PlainText, Words } from '../../platform/words/words';
import { type FormView, installFormPage, type Said } from './form-page';
import { endedLink, headed } from './headed';
import { errorMessage } from './page';

/** `GET /unsubscribe` of a mail's link. Only a button unsubscribes: mail scanners follow links. */
export function installUnsubscribePage(app: Express): void {
  installFormPage(app, '/unsubscribe', {
    form,
    dead: (words) =>
      endedLink(
        words,
        'There is nothing left to unsubscribe from, or the link was not copied as a whole. Nothing has been changed.',
      ),
    done,
  });
}

function form({ request, words }: FormView, error?: string): Said {
  const body = html`<p>${words.t('The mail that led you here was caused by an account of this platform. If you unsubscribe, it can send no more alerts to your address, whatever they are about.')}</p>
<form method="post"><p class="buttons"><button>${words.t('Unsubscribe')}</button></p></form>
<h2>${words.t('Or those of all accounts?')}</h2>
<p>${words.t('You can also stop the mails of every account of this platform to your mailbox, welcome mails and questions included. Links to a new password then come only for accounts that you have confirmed.')}</p>
<form method="post" action="${addressOf('unsubscribe', request, 'everybody')}"><p class="buttons"><button class="plain">${words.t('Stop all mails')}</button></p></form>
<p class="quiet small">${words.tx('You have stopped all mails before? {link}', { link: link('Take that back', request, words) })}</p>`;
  return headed(words, 'Stop these mails?', body, errorMessage(error));
}

function done({ request, words }: FormView): Said {
  const from = request.query.from === 'everybody' ? 'everybody' : 'user';
  const body = html`<p role="status">${
    from === 'everybody'
      ? words.t('No account of this platform can send mails to your mailbox any more.')
      : words.t('The account that caused these mails can send no more of them to your address.')
  }</p>
<p class="quiet">${words.tx('Was that a mistake? {link}', { link: link('Allow these mails again', request, words, from) })}</p>`;
  return headed(words, 'You are unsubscribed', body);
}

function link(label: PlainText, request: Request, words: Words, from: 'user' | 'everybody' = 'everybody') {
  return html`<a href="${addressOf('confirm', request, from)}">${words.t(label)}</a>`;
}

/** Keeps the token. The decision is in the address: these bodies are not read. */
function addressOf(page: 'unsubscribe' | 'confirm', request: Request, from: 'user' | 'everybody'): string {
  const query = new URLSearchParams({
    token: String(request.query.token ?? ''),
    ...(from === 'everybody' && { from }),
  });
  return `${page}?${query.toString()}`;
}
