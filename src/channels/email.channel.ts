import type { AttemptOutcome } from '../domain/delivery-schedule';
import type { Channel, OutgoingDelivery } from './channel';
import type { MailTransport } from './mail-transport';

const EMPTY_TEXT = 'This notification has no text.';

/** Sends a delivery as a mail: its text as it is, and the same as plain HTML. */
export class EmailChannel implements Channel {
  constructor(private readonly transport: MailTransport) {}

  async send({ webhookId, destination, subject, text }: OutgoingDelivery): Promise<AttemptOutcome> {
    const body = text === '' ? EMPTY_TEXT : text;
    try {
      await this.transport.send({ id: webhookId, to: destination, subject, text: body, html: toHtml(body) });
      return { kind: 'delivered' };
    } catch (error) {
      return toOutcome(error);
    }
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}

function toHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  const escaped = text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
  return `<!doctype html><html><body><p style="white-space:pre-wrap">${escaped}</p></body></html>`;
}

/** 5xx is final, 4xx and lost connections pass (RFC 5321, 4.2.1). What the server wrote may hold addresses: not kept. */
function toOutcome(error: unknown): AttemptOutcome {
  const detail = error instanceof Error ? (error as Error & { code?: string; responseCode?: number }) : undefined; // nodemailer's errors
  const statusCode = detail?.responseCode;
  if (statusCode !== undefined && statusCode >= 500 && detail?.code !== 'EAUTH') {
    return { kind: 'refused', reason: 'mailbox refused', statusCode };
  }
  if (statusCode !== undefined && detail?.code !== 'EAUTH') {
    return { kind: 'retry-later', reason: `the mail server answered ${statusCode}` };
  }
  const code = detail?.code ?? '';
  return {
    kind: 'retry-later',
    reason: /^[A-Z_]+$/.test(code) ? `mail server: ${code}` : 'the mail could not be handed over',
  };
}
