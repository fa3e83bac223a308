import type { Express } from 'express';
import type { LinkedAlert } from '../../alerts';
import { InvalidInput, NotFound } from '../../platform/errors';
import { html } from '../../platform/html';
import { visitorOf } from '../visitor';
import { installFormPage, type Said } from './form-page';
import { errorMessage } from './page';
import type { PageParts } from './page-user';

const ASK = 'Acknowledge this alert?';
const FORM = html`<form method="post"><p class="buttons"><button>Acknowledge</button></p></form>`;

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

/** `GET /acknowledge` of an alert's link. Only a button acknowledges: mail scanners follow links. */
export function installAcknowledgePage(app: Express, { services, admission }: PageParts): void {
  const read = async (token: unknown): Promise<{ said: Said; status: number }> => {
    try {
      const alert = await services.linkAcknowledgements.find(typeof token === 'string' ? token : '');
      if (!alert.isLasting) return { said: OVER, status: 409 };
      return { said: alert.acknowledged ? acknowledged(alert) : question(alert), status: 200 };
    } catch (error) {
      if (error instanceof InvalidInput || error instanceof NotFound) return { said: DEAD, status: error.status };
      throw error;
    }
  };
  installFormPage(app, '/acknowledge', {
    endOf: (request, response) =>
      admission.run(visitorOf(request), 'change', response, () => read(request.query.token)),
    ...{ form: again, dead: DEAD, over: OVER },
    done: async (_, request) => (await read(request.query.token)).said,
  });
}

/** After a refusal, for example for too many requests. */
function again(error?: string): Said {
  return { title: ASK, body: html`${errorMessage(error)}<h1>${ASK}</h1>${FORM}` };
}

function question({ heading, since }: LinkedAlert): Said {
  return {
    title: ASK,
    body: html`<h1>${ASK}</h1>
<p><strong>${heading}</strong><br>since ${since}</p>
<p>The alert is not repeated until it is over, and later steps of its escalation are left out. When it comes again, you are notified again.</p>
${FORM}`,
  };
}

function acknowledged({ heading, since, acknowledged: how }: LinkedAlert): Said {
  return {
    title: 'The alert is acknowledged',
    body: html`<h1>The alert is acknowledged</h1>
<p><strong>${heading}</strong><br>since ${since}</p>
<p role="status">Acknowledged on ${how?.at ?? ''}, ${how?.by ?? ''}. It is not repeated until it is over.</p>`,
  };
}
