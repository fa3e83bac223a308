import type { Express, Request } from 'express';
import { html } from '../../platform/html';
import { installFormPage, type Said } from './form-page';
import { errorMessage } from './page';

const DEAD: Said = {
  title: 'This link has ended',
  body: html`<h1>This link has ended</h1>
<p role="alert">There is nothing left to unsubscribe from, or the link was not copied as a whole. Nothing has been changed.</p>`,
};

/** `GET /unsubscribe` of a mail's link. Only a button unsubscribes: mail scanners follow links. */
export function installUnsubscribePage(app: Express): void {
  installFormPage(app, '/unsubscribe', { form, dead: DEAD, done });
}

function form(error: string | undefined, request: Request): Said {
  return {
    title: 'Stop these mails?',
    body: html`${errorMessage(error)}
<h1>Stop these mails?</h1>
<p>The mail that led you here was caused by an account of this platform. If you unsubscribe, it can send no more alerts to your
address, whatever they are about.</p>
<form method="post"><p class="buttons"><button>Unsubscribe</button></p></form>
<h2>Or those of all accounts?</h2>
<p>You can also stop the mails of every account of this platform to your mailbox, welcome mails and questions included. Links to a new
password then come only for accounts that you have confirmed.</p>
<form method="post" action="${linkTo('unsubscribe', request, 'everybody')}"><p class="buttons"><button class="plain">Stop
all mails</button></p></form>
<p class="quiet small">You have stopped all mails before? <a href="${linkTo('confirm', request, 'everybody')}">Take that back</a></p>`,
  };
}

function done(_response: object, request: Request): Said {
  const isAboutEverybody = request.query.from === 'everybody';
  return {
    title: 'You are unsubscribed',
    body: html`<h1>You are unsubscribed</h1>
<p role="status">${
      isAboutEverybody
        ? 'No account of this platform can send mails to your mailbox any more.'
        : 'The account that caused these mails can send no more of them to your address.'
    }</p>
<p class="quiet">Was that a mistake?
<a href="${linkTo('confirm', request, isAboutEverybody ? 'everybody' : 'user')}">Allow these mails again</a></p>`,
  };
}

/** Keeps the token. The decision is in the address: these bodies are not read. */
function linkTo(page: 'unsubscribe' | 'confirm', request: Request, from: 'user' | 'everybody'): string {
  const query = new URLSearchParams({
    token: String(request.query.token ?? ''),
    ...(from === 'everybody' && { from }),
  });
  return `${page}?${query.toString()}`;
}
