import type { DeliveryCause, OutgoingDelivery } from './channel';
import type { Mail } from './mail-transport';

const EMPTY_TEXT = 'This notification has no text.';

/** A delivery as a mail: its text unchanged, and the same as plain HTML. */
export function toMail({ webhookId, destination, cause, text, unsubscribeUrl }: OutgoingDelivery): Mail {
  const body = text === '' ? EMPTY_TEXT : text;
  const footer = unsubscribeUrl === undefined ? '' : `\n\n-- \nTo stop these mails: ${unsubscribeUrl}`;
  return {
    id: webhookId,
    to: destination,
    subject: subjectOf(cause),
    text: `${body}${footer}\n`,
    html: toHtml(body, unsubscribeUrl),
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
  };
}

function subjectOf(cause: DeliveryCause): string {
  switch (cause.kind) {
    case 'trigger':
      return `Trigger ${cause.triggerId} fired on sensor ${cause.sensorId}`;
    case 'event':
      return `Event ${cause.event}`;
    case 'test':
      return 'Test of a notification';
    case 'notice':
      return cause.subject;
  }
}

/** The headers by which mail programs offer to unsubscribe with one click (RFC 8058). */
function unsubscribeHeaders(unsubscribeUrl: string | undefined): Record<string, string> {
  if (unsubscribeUrl === undefined) return {};
  return { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

function toHtml(text: string, unsubscribeUrl: string | undefined): string {
  const footer =
    unsubscribeUrl === undefined
      ? ''
      : `<p><small><a href="${escapeHtml(unsubscribeUrl)}">Stop these mails</a></small></p>`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><title>Notification</title></head>',
    `<body><p style="white-space:pre-wrap">${escapeHtml(text)}</p>${footer}</body></html>`,
    '',
  ].join('\n');
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
