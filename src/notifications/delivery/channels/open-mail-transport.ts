import { join } from 'node:path';
import type { Clock } from '../../../platform/clock';
import type { Logger } from '../../../platform/logger';
import type { MailTransport } from './mail-transport';
import { OutboxTransport } from './outbox.transport';
import { SmtpTransport } from './smtp.transport';

export interface MailSettings {
  smtpUrl?: string;
  mailFrom: string;
  dataDir: string;
}

/** Without an SMTP server, mails become files. Connects when first needed. */
export function openMailTransport(
  { smtpUrl, mailFrom, dataDir }: MailSettings,
  clock: Clock,
  logger: Logger,
): MailTransport {
  if (smtpUrl) return new SmtpTransport(smtpUrl, mailFrom);
  return new OutboxTransport(join(dataDir, 'outbox'), mailFrom, clock, logger);
}
