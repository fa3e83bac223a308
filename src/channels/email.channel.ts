import type { AttemptOutcome } from '../domain/delivery-schedule';
import type { Channel, OutgoingDelivery } from './channel';
import { describeFailure } from './failure-reason';
import type { MailTransport } from './mail-transport';

const EMPTY_TEXT = 'This notification has no text.';
/** For the whole hand-over, whatever single steps of it are allowed. */
const DEFAULT_LIMIT_MS = 20_000;

/** Sends a delivery as a mail: its text as it is, and the same as plain HTML. */
export class EmailChannel implements Channel {
  constructor(
    private readonly transport: MailTransport,
    private readonly limitMs = DEFAULT_LIMIT_MS,
  ) {}

  async send({ webhookId, destination, subject, text }: OutgoingDelivery): Promise<AttemptOutcome> {
    const body = text === '' ? EMPTY_TEXT : text;
    const headers = { 'Auto-Submitted': 'auto-generated' };
    const mail = { id: webhookId, to: destination, subject, text: body, html: toHtml(body), headers };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = Object.assign(new Error('the mail server is slow'), { code: 'ETIMEDOUT' });
      timer = setTimeout(() => reject(error), this.limitMs);
    });
    try {
      await Promise.race([this.transport.send(mail), late]);
      return { kind: 'delivered' };
    } catch (error) {
      return toOutcome(error);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}

function toHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  const escaped = text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><title>Notification</title></head>',
    `<body><p style="white-space:pre-wrap">${escaped}</p></body></html>`,
    '',
  ].join('\n');
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
