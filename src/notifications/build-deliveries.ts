import type { FairShareScheduler } from '../fairness/fair-share-scheduler';
import type { CarefulWork } from '../fairness/quarantine/careful-work';
import { TlsContexts } from '../outbound/tls-contexts';
import type { Clock } from '../platform/clock';
import type { Config } from '../platform/config';
import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { SecretBox } from '../platform/secret-box';
import type { JobQueue } from '../queue/job-queue';
import type { Database } from '../storage';
import { buildDelivery } from './delivery/build-delivery';
import { openChannels } from './delivery/channels';
import { Mailer } from './delivery/channels/mailer';
import { openMailTransport } from './delivery/channels/open-mail-transport';
import { DeliveryComputing } from './delivery/delivery-computing';
import { Digests } from './delivery/digests';
import type { Holders } from './delivery/held-deliveries';
import { MailAllowances } from './delivery/mail/mail-allowances';
import { MailGate } from './delivery/mail/mail-gate';
import { OutgoingBuilder } from './delivery/outgoing';
import { VapidKeys } from './delivery/vapid-keys';

interface Parts {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
  publicUrl: string;
  jobQueue: JobQueue;
  metrics: Metrics;
  secretBox: SecretBox;
  shares: FairShareScheduler;
  holders: Holders;
  careful?: CarefulWork | undefined;
}

export function buildDeliveries({ config, clock, logger, database, publicUrl, jobQueue, metrics, ...parts }: Parts) {
  const { secretBox, shares, holders, careful } = parts;
  const { pool } = database;
  const vapidKeys = new VapidKeys(pool, secretBox, clock);
  const mailTransport = openMailTransport(config, clock, logger);
  const tlsContexts = new TlsContexts(config.deliveryAuthorities, shares);
  const channels = openChannels({
    clock,
    allowNetworks: config.deliveryAllowNetworks,
    tlsContexts,
    mailTransport,
    publicUrl,
    vapidPair: () => vapidKeys.pair(),
  });
  const deliveryComputing = new DeliveryComputing(shares);
  const mailAllowances = new MailAllowances(pool, clock, config.mailRates);
  const delivery = buildDelivery({
    ...{ pool, jobQueue, clock, logger, metrics, channels, holders },
    mails: new MailGate(pool, clock, mailAllowances, config.mailConfirmation, publicUrl),
    digests: new Digests(pool, clock, config.digestAfter),
    outgoing: new OutgoingBuilder(secretBox, publicUrl),
    ...{ computing: deliveryComputing, careful },
    limits: { perReceiver: config.deliveryReceiverConcurrency, perProcess: config.deliveryConcurrency },
  });
  const mailer = new Mailer(mailTransport);
  return { mailTransport, mailer, tlsContexts, channels, mailAllowances, vapidKeys, delivery, deliveryComputing };
}

export type Deliveries = ReturnType<typeof buildDeliveries>;
