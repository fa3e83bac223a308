import { createTransport, type Transporter } from 'nodemailer';
import { type Mail, type MailTransport, threadingOf } from './mail-transport';

const DEFAULT_TIMEOUT_MS = 10_000;
const CONNECTIONS = 10;

/** Has a timeout for each step. Sends credentials only over TLS, unless the URL ends in `?requireTLS=false`. */
export class SmtpTransport implements MailTransport {
  private readonly transporter: Transporter;

  constructor(
    smtpUrl: string,
    private readonly from: string,
    { timeoutMs = DEFAULT_TIMEOUT_MS, trustAnyone = false }: { timeoutMs?: number; trustAnyone?: boolean } = {},
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
      dnsTimeout: timeoutMs,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send({ id, firstId, to, ...content }: Mail): Promise<void> {
    // nodemailer neither splits nor parses an address object, so a destination is always exactly one mailbox.
    await this.transporter.sendMail({
      ...content,
      from: this.from,
      to: { name: '', address: to },
      ...threadingOf({ id, ...(firstId !== undefined && { firstId }) }, this.from),
    });
  }

  async close(): Promise<void> {
    this.transporter.close();
  }
}
