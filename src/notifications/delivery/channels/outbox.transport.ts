import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Clock } from '../../../platform/clock';
import type { Logger } from '../../../platform/logger';
import { type Mail, type MailTransport, threadingOf } from './mail-transport';

/**
 * Writes `outbox/<time>-<id>.eml`, for platforms without an SMTP server. `DataFolder` relies on this name to delete the
 * files.
 */
export class OutboxTransport implements MailTransport {
  private readonly composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  constructor(
    private readonly folder: string,
    private readonly from: string,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  async send({ id, firstId, to, ...content }: Mail): Promise<void> {
    const { message } = await this.composer.sendMail({
      ...content,
      from: this.from,
      to: { name: '', address: to },
      ...threadingOf({ id, ...(firstId !== undefined && { firstId }) }, this.from),
    });
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = `${new Date(this.clock.now()).toISOString().replace(/[:.]/g, '-')}-${id}.eml`;
    // A program that watches the folder never reads half a mail.
    await writeFile(join(this.folder, `.${file}`), message, { mode: 0o600 });
    await rename(join(this.folder, `.${file}`), join(this.folder, file));
    this.logger.info({ file }, 'mail written to the outbox');
  }

  async close(): Promise<void> {
    this.composer.close();
  }
}
