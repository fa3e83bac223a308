import { randomUUID } from 'node:crypto';
import type { MailTransport } from './mail-transport';

/** Sends the platform's own mails: the welcome mail and password resets. */
export class Mailer {
  constructor(private readonly transport: MailTransport) {}

  /** Hands a mail over; throws when that fails. */
  send({ to, subject, text }: { to: string; subject: string; text: string }): Promise<void> {
    return this.transport.send({ id: randomUUID(), to, subject, text });
  }
}
