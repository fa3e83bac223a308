import type { AttemptOutcome } from '../domain/delivery-schedule';
import { withTimeout } from '../with-timeout';
import type { Channel, OutgoingDelivery } from './channel';
import { describeFailure } from './failure-reason';
import type { Mail, MailTransport } from './mail-transport';

const EMPTY_TEXT = 'This notification has no text.';
/** For the whole hand-over, whatever single steps of it are allowed. */
const DEFAULT_LIMIT_MS = 20_000;

/** Sends a delivery as a mail: its text as it is, and the same as plain HTML. */
export class EmailChannel implements Channel {
  constructor(
    private readonly transport: MailTransport,
    private readonly limitMs = DEFAULT_LIMIT_MS,
  ) {}

  async send(delivery: OutgoingDelivery): Promise<AttemptOutcome> {
    const mail = compose(delivery);
    try {
      await withTimeout(this.limitMs, this.transport.send(mail), tooSlow);
      return { kind: 'delivered' };
    } catch (error) {
      return toOutcome(error);
    }
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}

function tooSlow(): Error {
  return Object.assign(new Error('the mail server is slow'), { code: 'ETIMEDOUT' });
}

function compose({ webhookId, destination, subject, text, unsubscribeUrl }: OutgoingDelivery): Mail {
  const body = text === '' ? EMPTY_TEXT : text;
  const foot = unsubscribeUrl === undefined ? '' : `\n\n-- \nTo get no more mails like this: ${unsubscribeUrl}`;
  const oneClick = { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
  return {
    id: webhookId,
    to: destination,
    subject,
    text: `${body}${foot}\n`,
    html: toHtml(body, unsubscribeUrl),
    headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribeUrl === undefined ? {} : oneClick) },
  };
}

function toHtml(text: string, unsubscribeUrl: string | undefined): string {
  const foot =
    unsubscribeUrl === undefined
      ? ''
      : `<p><small><a href="${toEntities(unsubscribeUrl)}">To get no more mails like this</a></small></p>`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><title>Notification</title></head>',
    `<body><p style="white-space:pre-wrap">${toEntities(text)}</p>${foot}</body></html>`,
    '',
  ].join('\n');
}

function toEntities(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** What nodemailer says of a failure. */
interface MailError extends Error {
  code?: string;
  /** The code of the socket's own error, where `code` only names the stage. */
  originalCode?: string;
  responseCode?: number;
  /** The SMTP command that failed. */
  command?: string;
}

/** 5xx to what concerns the recipient is final (RFC 5321, 4.2.1); whatever else goes wrong is between the server and us. */
function toOutcome(error: unknown): AttemptOutcome {
  const { code = '', originalCode, responseCode: statusCode, command = '' }: Partial<MailError> = asMailError(error);
  if (statusCode !== undefined && (command === 'RCPT TO' || command === 'DATA')) {
    if (statusCode >= 500) return { kind: 'refused', reason: 'mailbox refused', statusCode };
    // Only in words: as a status code it would look like one of HTTP, where 4xx means that trying again is of little use.
    return { kind: 'retry-later', reason: `the mail server answered ${statusCode}` };
  }
  // nodemailer itself found that this is no mailbox.
  if (code === 'EENVELOPE' && statusCode === undefined) return { kind: 'refused', reason: 'mailbox not valid' };
  const isStage = code === 'ESOCKET' || code === 'ECONNECTION';
  return { kind: 'retry-later', reason: describeFailure((isStage ? originalCode : undefined) ?? code), ours: true };
}

function asMailError(error: unknown): Partial<MailError> {
  return error instanceof Error ? error : {};
}
