import { createTransport, type Transporter } from 'nodemailer';
import type { Mail, MailTransport } from './mail-transport';

const LIMIT_MS = 10_000;

/** Sends by SMTP over a few pooled connections. */
export class SmtpTransport implements MailTransport {
  private readonly transporter: Transporter;

  constructor(
    smtpUrl: string,
    private readonly from: string,
  ) {
    const url = new URL(smtpUrl);
    this.transporter = createTransport({
      host: url.hostname,
      port: Number(url.port || (url.protocol === 'smtps:' ? 465 : 587)),
      secure: url.protocol === 'smtps:',
      auth: url.username
        ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
        : undefined,
      pool: true,
      maxConnections: 5,
      connectionTimeout: LIMIT_MS,
      greetingTimeout: LIMIT_MS,
      socketTimeout: LIMIT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send({ id, to, subject, text, html }: Mail): Promise<void> {
    const messageId = `<${id}@${new URL(`mailto:${this.from}`).pathname.split('@').pop()?.replace(/[>\s]/g, '') || 'localhost'}>`;
    // An address object is never split or parsed, so a destination can only ever be one mailbox.
    await this.transporter.sendMail({ from: this.from, to: { name: '', address: to }, subject, text, html, messageId });
  }

  async close(): Promise<void> {
    this.transporter.close();
  }
}
