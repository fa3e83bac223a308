import type { Pool } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import type { AttemptContext, AttemptEnd } from './attempt';
import type { AttemptLog } from './attempt-log';
import type { OpenChannels } from './channels';
import type { DeliveryComputing } from './delivery-computing';
import type { Digests } from './digests';
import type { Holders } from './held-deliveries';
import type { MailGate } from './mail/mail-gate';
import type { OutgoingBuilder } from './outgoing';
import type { ReceiverQueue } from './receiver-queue';

/** The first stage that returns a reason ends the attempt. */
export interface AttemptStage {
  name: string;
  /** True if the stage also runs for a delivery that must not be sent. */
  evenIfRefused?: true;
  run(context: AttemptContext): Promise<AttemptEnd | undefined>;
}

export interface StageParts {
  pool: Pool;
  clock: Clock;
  receivers: ReceiverQueue;
  mails: MailGate;
  digests: Digests;
  holders: Holders;
  channels: OpenChannels;
  outgoing: OutgoingBuilder;
  log: AttemptLog;
  computing: DeliveryComputing;
  logger: Logger;
}
