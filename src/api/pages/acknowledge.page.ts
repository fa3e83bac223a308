import type { Express } from 'express';
import { InvalidInput, NotFound } from '../../platform/errors';
import { html } from '../../rules/html';
import { visitorOf } from '../visitor';
import { installFormPage, type Said } from './form-page';
import { errorMessage } from './page';
import type { PageParts } from './page-user';

const DEAD: Said = {
  title: 'This link has ended',
  body: html`<h1>This link has ended</h1>
<p role="alert">The alert does not exist any more, or the link was not copied as a whole. Nothing has been changed.</p>`,
};

const OVER: Said = {
  title: 'The alert is over',
  body: html`<h1>The alert is over</h1>
<p role="alert">The episode has ended, so there is nothing left to acknowledge. When it comes again, you are notified again.</p>`,
};

/**
 * `GET /acknowledge`: the target of the link in mails about firings. The page only shows a button: mail scanners follow
 * links, so opening one must not acknowledge anything.
 */
export function installAcknowledgePage(app: Express, { services, admission }: PageParts): void {
  const findEnd = async (token: unknown) => {
    try {
      const isLasting = await services.linkAcknowledgements.isLasting(typeof token === 'string' ? token : '');
      return isLasting ? undefined : { said: OVER, status: 409 };
    } catch (error) {
      if (error instanceof InvalidInput || error instanceof NotFound) return { said: DEAD, status: error.status };
      throw error;
    }
  };
  installFormPage(app, '/acknowledge', {
    endOf: (request, response) =>
      admission.run(visitorOf(request), 'change', response, () => findEnd(request.query.token)),
    ...{ form, dead: DEAD, over: OVER, done },
  });
}

function form(error?: string): Said {
  return {
    title: 'Acknowledge this alert?',
    body: html`${errorMessage(error)}
<h1>Acknowledge this alert?</h1>
<p>Lets everyone know you are on it. The alert will not repeat until it is over. When it comes again, you are notified again.</p>
<form method="post"><p class="buttons"><button>Acknowledge</button></p></form>`,
  };
}

function done(): Said {
  return {
    title: 'The alert is acknowledged',
    body: html`<h1>The alert is acknowledged</h1>
<p role="status">It will not repeat until it is over.</p>`,
  };
}
