import { randomUUID } from 'node:crypto';
import type { MailTransport } from './mail-transport';

/** Sends the platform's own mails: welcome, reset of a password. */
export class Mailer {
  constructor(private readonly transport: MailTransport) {}

  /** Throws when the mail could not be handed over. */
  send({ to, subject, text }: { to: string; subject: string; text: string }): Promise<void> {
    return this.transport.send({ id: randomUUID(), to, subject, text });
  }
}
