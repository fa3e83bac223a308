import type { Express, Request } from 'express';
import { html } from '../../domain/html';
import { installFormPage, type Said } from './form-page';
import { errorMessage } from './page';

const DEAD: Said = {
  title: 'This link has ended',
  body: html`<h1>This link has ended</h1>
<p role="alert">There is nothing left to unsubscribe from, or the link was not copied as a whole. Nothing has been changed.</p>`,
};

/**
 * `GET /unsubscribe`: the target of the link in a mail. The page only asks for confirmation: scanners of mails follow
 * links, so opening one must not unsubscribe anybody.
 */
export function installUnsubscribePage(app: Express): void {
  installFormPage(app, '/unsubscribe', { form, dead: DEAD, done });
}

function form(error?: string): Said {
  return {
    title: 'Stop these mails?',
    body: html`${errorMessage(error)}
<h1>Stop these mails?</h1>
<p>The mail that led you here was set up by a user of this platform. If you unsubscribe, this user can send no more mails
to your address, whatever they are about.</p>
<form method="post"><p class="buttons"><button>Unsubscribe</button></p></form>`,
  };
}

function done(_response: object, request: Request): Said {
  const query = new URLSearchParams({ token: String(request.query.token) });
  return {
    title: 'You are unsubscribed',
    body: html`<h1>You are unsubscribed</h1>
<p role="status">The user who set up these mails can send no more of them to your address.</p>
<p class="quiet">Was that a mistake? <a href="confirm?${query.toString()}">Allow these mails again</a></p>`,
  };
}
