import type { Express, Request } from 'express';
import { html } from '../../platform/html';
import { installFormPage, type Said } from './form-page';
import { errorMessage } from './page';

const DEAD: Said = {
  title: 'This link has ended',
  body: html`<h1>This link has ended</h1>
<p role="alert">The user no longer asks for your consent, or the link was not copied as a whole. Nothing has been changed.</p>`,
};

/** `GET /confirm` of a mail's link. Only a button confirms: mail scanners follow links. */
export function installConfirmPage(app: Express): void {
  installFormPage(app, '/confirm', { form, dead: DEAD, done });
}

function form(error: string | undefined, request: Request): Said {
  if (isAboutEverybody(request)) {
    return {
      title: 'Take mails of this platform again?',
      body: html`${errorMessage(error)}
<h1>Take mails of this platform again?</h1>
<p>You have said that no account of this platform may send mails to you. If you take that back, accounts that you have agreed to can
do so again, and others can ask you.</p>
<form method="post"><p class="buttons"><button>Take mails again</button></p></form>`,
    };
  }
  return {
    title: 'Receive alerts by mail?',
    body: html`${errorMessage(error)}
<h1>Receive alerts by mail?</h1>
<p>A user of this platform, you yourself if you have just registered, would like to send alerts of their sensors to your address. They are
sent only if you agree, and you can stop them at any time by a link in each mail.</p>
<form method="post"><p class="buttons"><button>Receive alerts</button></p></form>
<p class="quiet small">If you do not want them, just close this page.</p>`,
  };
}

function done(_response: object, request: Request): Said {
  if (isAboutEverybody(request)) {
    return {
      title: 'You take mails again',
      body: html`<h1>You take mails again</h1>
<p role="status">What you have decided about single accounts counts again. Links in their mails change it.</p>`,
    };
  }
  return {
    title: 'You receive alerts',
    body: html`<h1>You receive alerts</h1>
<p role="status">You have agreed to alerts from this user. The link at the end of each mail stops them.</p>`,
  };
}

function isAboutEverybody({ query }: Request): boolean {
  return query.from === 'everybody';
}
