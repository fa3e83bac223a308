import { randomUUID } from 'node:crypto';
import { reasonOf } from './email.channel';
import type { MailTransport } from './mail-transport';

/** Sends the platform's own mails. */
export class Mailer {
  constructor(private readonly transport: MailTransport) {}

  /** Throws an error that is safe to log. */
  async send({ to, subject, text }: { to: string; subject: string; text: string }): Promise<void> {
    try {
      await this.transport.send({ id: randomUUID(), to, subject, text });
    } catch (error) {
      throw new Error(reasonOf(error instanceof Error ? error : new Error()));
    }
  }
}
