import { createTransport, type Transporter } from 'nodemailer';
import { type Mail, type MailTransport, messageIdOf } from './mail-transport';

const DEFAULT_LIMIT_MS = 10_000;
const CONNECTIONS = 10;

/**
 * Sends by SMTP over a few pooled connections, each step within the limit. Credentials are only ever told over TLS,
 * unless the URL ends in `?requireTLS=false`.
 */
export class SmtpTransport implements MailTransport {
  private readonly transporter: Transporter;

  constructor(
    smtpUrl: string,
    private readonly from: string,
    { limitMs = DEFAULT_LIMIT_MS, trustAnyone = false }: { limitMs?: number; trustAnyone?: boolean } = {},
  ) {
    const url = new URL(smtpUrl);
    const secure = url.protocol === 'smtps:';
    this.transporter = createTransport({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || (secure ? 465 : 587)),
      secure,
      auth: url.username
        ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
        : undefined,
      requireTLS: url.username !== '' && url.searchParams.get('requireTLS') !== 'false',
      tls: { rejectUnauthorized: !trustAnyone },
      pool: true,
      maxConnections: CONNECTIONS,
      dnsTimeout: limitMs,
      connectionTimeout: limitMs,
      greetingTimeout: limitMs,
      socketTimeout: limitMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send({ id, to, ...content }: Mail): Promise<void> {
    // An address object is never split or parsed, so a destination can only ever be one mailbox.
    await this.transporter.sendMail({
      ...content,
      from: this.from,
      to: { name: '', address: to },
      messageId: messageIdOf(id, this.from),
    });
  }

  async close(): Promise<void> {
    this.transporter.close();
  }
}
