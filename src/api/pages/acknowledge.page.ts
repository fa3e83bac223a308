import type { Express } from 'express';
import type { LinkedAlert } from '../../alerts';
import { InvalidInput, NotFound } from '../../platform/errors';
import { type Html, html } from '../../platform/html';
import { lookOf, type StateName } from '../../platform/states';
import type { Words } from '../../platform/words/words';
import { visitorOf } from '../visitor';
import { type FormPage, type FormView, installFormPage, type Said } from './form-page';
import { endedLink, headed } from './headed';
import { errorMessage, rootOf } from './page';
import type { PageParts } from './page-user';

/**
 * `GET /acknowledge` of an alert's link. Only a button acknowledges: mail scanners follow links. Then others mute the
 * alert, by `/acknowledge/mute`.
 */
export function installAcknowledgePage(app: Express, { services, admission }: PageParts): void {
  const read = async ({ request, words }: FormView, show: (alert: LinkedAlert, view: FormView) => Said) => {
    try {
      const alert = await services.linkAcknowledgements.find(tokenIn(request.query), words);
      if (!alert.isLasting) return { said: over(words), status: 409 };
      return { said: show(alert, { request, words }), status: 200 };
    } catch (error) {
      if (error instanceof InvalidInput || error instanceof NotFound)
        return { said: dead(words), status: error.status };
      throw error;
    }
  };
  const pageOf = (form: FormPage['form'], show: (alert: LinkedAlert, view: FormView) => Said): FormPage => ({
    endOf: (view, response) => admission.run(visitorOf(view.request), 'change', response, () => read(view, show)),
    ...{ form, dead, over },
    done: async (view) => (await read(view, show)).said,
  });
  installFormPage(
    app,
    '/acknowledge',
    pageOf(askAgain, (alert, view) => (alert.acknowledged ? acknowledged : question)(alert, view)),
  );
  installFormPage(
    app,
    '/acknowledge/mute',
    pageOf(muteAgain, (alert, view) => (alert.mutedUntil ? muted : muteQuestion)(alert, view)),
  );
}

function tokenIn({ token }: Record<string, unknown>): string {
  return typeof token === 'string' ? token : '';
}

function dead(words: Words): Said {
  return endedLink(
    words,
    'The alert does not exist any more, or the link was not copied as a whole. Nothing has been changed.',
  );
}

function over(words: Words): Said {
  const text =
    'The episode has ended, so there is nothing left to acknowledge. When it comes again, you are notified again.';
  return headed(words, 'The alert is over', html`<p role="alert">${words.t(text)}</p>`);
}

/** After a refusal, for example for too many requests. */
function askAgain({ words }: FormView, error?: string): Said {
  return headed(words, 'Acknowledge this alert?', acknowledgeForm(words), errorMessage(error));
}

function muteAgain(view: FormView, error?: string): Said {
  return headed(view.words, 'Mute this alert?', muteForms(view), errorMessage(error));
}

function question(alert: LinkedAlert, { words }: FormView): Said {
  const text =
    'The alert is not repeated until it is over, and later steps of its escalation are left out. When it comes again, you are notified again.';
  const body = html`${about(alert, words)}
<p>${words.t(text)}</p>
${acknowledgeForm(words)}`;
  return headed(words, 'Acknowledge this alert?', body);
}

function acknowledgeForm(words: Words): Html {
  return html`<form method="post"><p class="buttons"><button>${words.t('Acknowledge')}</button></p></form>`;
}

function acknowledged(alert: LinkedAlert, view: FormView): Said {
  const { words } = view;
  const { at = '', by = '' } = alert.acknowledged ?? {};
  const text = words.t('Acknowledged on {at}, {by}. It is not repeated until it is over.', { at, by });
  const body = html`${about(alert, words)}
<p role="status">${text}</p>
${muteForms(view, alert)}
${waysOn(alert, view)}`;
  return headed(words, 'The alert is acknowledged', body);
}

function muteQuestion(alert: LinkedAlert, view: FormView): Said {
  return headed(
    view.words,
    'Mute this alert?',
    html`${about(alert, view.words)}${muteForms(view, alert)}${waysOn(alert, view)}`,
  );
}

function muted(alert: LinkedAlert, view: FormView): Said {
  const { words } = view;
  const body = html`${about(alert, words)}
<p role="status">${words.t('Muted until {until}', { until: alert.mutedUntil ?? '' })}</p>
${waysOn(alert, view)}`;
  return headed(words, 'The alert is muted', body);
}

function about({ severity, acknowledged, mutedUntil, heading, since }: LinkedAlert, words: Words): Html {
  const states: StateName[] = [severity];
  if (acknowledged) states.push('acknowledged');
  if (mutedUntil) states.push('muted');
  return html`<ul class="states">${states.map((state) => mark(state, words))}</ul>
<p><strong>${heading}</strong><br>${words.t('since {since}', { since })}</p>`;
}

function mark(state: StateName, words: Words): Html {
  const { sign, word } = lookOf(state);
  return html`<li class="is-${state}"><span aria-hidden="true">${sign}</span> ${words.t(word)}</li>`;
}

/** Buttons that mute for an hour or, at night, until the morning. */
function muteForms({ request, words }: FormView, { morning }: Partial<LinkedAlert> = {}): Html {
  const form = (until: { until?: string }, label: string) => {
    const query = new URLSearchParams({ token: tokenIn(request.query), ...until });
    return html`<form method="post" action="${rootOf(request)}acknowledge/mute?${query.toString()}"><button class="plain">${label}</button></form>`;
  };
  return html`<div class="buttons">${form({}, words.t('Mute for an hour'))}
${morning && form({ until: String(morning.atMs / 1000) }, words.t('Mute until {time}', { time: morning.time }))}</div>
<p class="quiet small">${words.t('Only this trigger on this sensor is muted. Its alerts are recorded, and sent to nobody until then.')}</p>`;
}

function waysOn({ sensorId, atMs }: LinkedAlert, { request, words }: FormView): Html {
  const console = `${rootOf(request)}console`;
  return html`<p><a href="${console}/sensors/${sensorId}?at=${atMs / 1000}">${words.t('Chart')}</a> · <a href="${console}/alerts">${words.t('All alerts')}</a></p>`;
}
