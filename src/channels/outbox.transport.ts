import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Clock } from '../clock';
import type { Logger } from '../logger';
import type { Mail, MailTransport } from './mail-transport';

/** Without an SMTP server each mail becomes a file, `outbox/<time>-<id>.eml`. */
export class OutboxTransport implements MailTransport {
  private readonly composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  constructor(
    private readonly folder: string,
    private readonly from: string,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  async send({ id, to, subject, text, html }: Mail): Promise<void> {
    const messageId = `<${id}@localhost>`;
    const { message } = await this.composer.sendMail({
      from: this.from,
      to: { name: '', address: to },
      subject,
      text,
      html,
      messageId,
    });
    await mkdir(this.folder, { recursive: true });
    const file = `${new Date(this.clock.now()).toISOString().replace(/[:.]/g, '-')}-${id}.eml`;
    // Renamed when complete: who watches the folder never reads half a mail.
    await writeFile(join(this.folder, `.${file}`), message);
    await rename(join(this.folder, `.${file}`), join(this.folder, file));
    this.logger.info({ file, subject }, 'mail written to the outbox');
  }

  async close(): Promise<void> {
    this.composer.close();
  }
}
