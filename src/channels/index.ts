import { join } from 'node:path';
import type { Clock } from '../clock';
import type { Logger } from '../logger';
import { AddressGuard } from './address-guard';
import type { Channel } from './channel';
import { EmailChannel } from './email.channel';
import { Mailer } from './mailer';
import { OutboxTransport } from './outbox.transport';
import { SmtpTransport } from './smtp.transport';
import { UrlChannel } from './url.channel';

export interface ChannelSettings {
  smtpUrl?: string;
  mailFrom: string;
  dataDir: string;
  allowNetworks: string[];
}

/** Every way out, by the notification's type, and the mailer of the platform itself. */
export interface Channels {
  email: Channel;
  url: Channel;
  mailer: Mailer;
  close(): Promise<void>;
}

/** Builds the channels; connections are made when first needed. */
export function buildChannels(
  settings: ChannelSettings,
  { logger, clock }: { logger: Logger; clock: Clock },
): Channels {
  const transport = settings.smtpUrl
    ? new SmtpTransport(settings.smtpUrl, settings.mailFrom)
    : new OutboxTransport(join(settings.dataDir, 'outbox'), settings.mailFrom, clock, logger);
  const email = new EmailChannel(transport);
  const url = new UrlChannel(new AddressGuard(settings.allowNetworks), clock);
  const close = async () => {
    await email.close();
    await url.close();
  };
  return { email, url, mailer: new Mailer(transport), close };
}
