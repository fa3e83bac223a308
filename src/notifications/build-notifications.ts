import { auditModels } from '../audit';
import type { EventLog } from '../events/event-log';
import type { FairShareScheduler } from '../fairness/fair-share-scheduler';
import type { CarefulWork } from '../fairness/quarantine/careful-work';
import type { Clock } from '../platform/clock';
import type { Config } from '../platform/config';
import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { SecretBox } from '../platform/secret-box';
import type { JobQueue } from '../queue/job-queue';
import type { WorkerCount } from '../queue/shard-assignment';
import type { Database } from '../storage';
import { runOn } from '../storage/transaction';
import { auditedModels } from './audited-models';
import type { Deliveries } from './build-deliveries';
import { DeliveriesService } from './deliveries/deliveries.service';
import { OperatorDeliveriesService } from './deliveries/operator-deliveries.service';
import { Probes } from './deliveries/probes';
import { RedeliveriesService } from './deliveries/redeliveries.service';
import { RequestedSends } from './deliveries/requested-sends';
import { AccountMails } from './delivery/mail/account-mails';
import { PacedTexts } from './delivery/paced-texts';
import { Standstills } from './delivery/standstill';
import { EventDispatcher } from './dispatch/event-dispatcher';
import { EventNotificationsService } from './events/event-notifications.service';
import type { EpisodeEnds } from './notifications/episode-ends';
import { MailConsents } from './notifications/mail-consents';
import { NotificationsService } from './notifications/notifications.service';
import { NotificationPreviews, type RecordedFirings } from './notifications/previews.service';
import { UnsubscribesService } from './notifications/unsubscribes.service';

interface Parts extends Deliveries {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
  publicUrl: string;
  jobQueue: JobQueue;
  workerCount: WorkerCount;
  metrics: Metrics;
  secretBox: SecretBox;
  shares: FairShareScheduler;
  careful?: CarefulWork | undefined;
  eventLog: EventLog;
  ends: EpisodeEnds;
  firings: RecordedFirings;
}

export function buildNotifications({ config, clock, logger, database, publicUrl, jobQueue, ...parts }: Parts) {
  auditModels(auditedModels);
  const { pool } = database;
  const { channels, secretBox, vapidKeys, mailAllowances, firings, deliveryComputing } = parts;
  const { runner } = parts.delivery;
  const accountMails = new AccountMails(parts.mailer, publicUrl, logger, mailAllowances, clock);
  const consents = new MailConsents(database, accountMails, config.mailConfirmation, clock);
  const standstills = new Standstills(parts.workerCount, runOn(pool));
  const effects = { events: parts.eventLog, ends: parts.ends };
  const notifications = new NotificationsService(database, effects, clock, {
    ...{ consents, channels, secretBox, vapidKeys, standstills },
  });
  const sends = new RequestedSends(pool, mailAllowances, consents, config.testLimit, clock);
  const redeliveries = new RedeliveriesService(database, notifications, runner, clock, sends);
  const asked = { pool, clock, notifications, sends, deliveryComputing };
  const newTexts = () => new PacedTexts(parts.shares, false);
  const observers = { jobQueue, deliveries: runner, metrics: parts.metrics, logger, newTexts };
  return {
    accountMails,
    consents,
    eventDispatcher: new EventDispatcher(pool, clock, observers, undefined, parts.careful),
    services: {
      notifications,
      notificationPreviews: new NotificationPreviews({ ...asked, firings, publicUrl }),
      eventNotifications: new EventNotificationsService(database, clock),
      redeliveries,
      unsubscribes: new UnsubscribesService(pool, jobQueue, clock),
      deliveries: new DeliveriesService({ ...asked, runner, standstills }),
      probes: new Probes(pool, clock, logger),
      operatorDeliveries: new OperatorDeliveriesService(pool, redeliveries, clock),
    },
  };
}
