import type { Pool } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import type { AttemptOutcome } from '../rules/delivery-schedule';
import { type Compute, inOneStep } from '../rules/steps';
import { hasTemplates } from '../rules/webhook-request';
import { isPermanent } from '../storage/mysql-errors';
import { findAlert } from './alerts';
import type { AttemptContext, AttemptEnd, DeliveryRow, Lease } from './attempt';
import type { AttemptLog } from './attempt-log';
import { entryOf, type OpenChannels } from './channels';
import type { DeliveryComputing } from './delivery-computing';
import { isSentWhileOff } from './delivery-rows';
import { type Digests, findDigest, isInDigest, leaveInDigest } from './digests';
import { waitForEarlier } from './earlier-deliveries';
import { findEventNames } from './event-names';
import { postpone, postponeLeased } from './leases';
import type { MailGate } from './mail/mail-gate';
import { isMail } from './mail/mail-recipients';
import { gatherMuted, mutedLooks } from './muted-deliveries';
import type { OutgoingBuilder } from './outgoing';
import type { ReceiverQueue } from './receiver-queue';

/** How long a costly delivery waits if the deliveries of its owner have used up their share of this process, in ms. */
const WAIT_FOR_SHARE_MS = 1_000;
/** Number of characters of a delivery from which on it is costly. */
const COSTLY_CHARACTERS = 16_384;

/** One step of an attempt. The attempt ends with the first stage that returns a reason. */
export interface AttemptStage {
  name: string;
  /** True if it also runs for a delivery that must not be sent. */
  evenIfRefused?: true;
  run(context: AttemptContext): Promise<AttemptEnd | undefined>;
}

export interface StageParts {
  pool: Pool;
  clock: Clock;
  receivers: ReceiverQueue;
  mails: MailGate;
  digests: Digests;
  channels: OpenChannels;
  outgoing: OutgoingBuilder;
  log: AttemptLog;
  /** Charges computing to the owners of notifications. */
  computing: DeliveryComputing;
  logger: Logger;
}

/** The stages of an attempt, in order. */
export function attemptStages(parts: StageParts): AttemptStage[] {
  return [
    ...stagesBeforeLease(parts),
    { name: 'lease', evenIfRefused: true, run: (context) => parts.receivers.lease(context) },
    ...stagesAfterLease(parts),
  ];
}

/** They may run in several workers at once, so they charge nothing and change only when a delivery is due. */
function stagesBeforeLease(parts: StageParts): AttemptStage[] {
  const { pool, clock, mails, computing } = parts;
  const muted = mutedLooks(pool, clock);
  return [
    {
      name: 'refuse',
      run: async (context) => {
        context.whyNotSent ??= whyNotSent(context.row);
        return undefined;
      },
    },
    {
      name: 'wait for the digest',
      run: async ({ row }) => {
        if (!isInDigest(row)) return undefined;
        await leaveInDigest(pool, row.id, clock.now());
        return 'postponed';
      },
    },
    {
      name: 'wait for the mute',
      run: async ({ row }) => {
        if (!waitsForMute(row)) return undefined;
        return postponeUntil(parts, row.id, await muted.add(row));
      },
    },
    {
      name: 'gather after the mute',
      run: async ({ row, nudges }) => {
        if (!waitsForMute(row) || !row.escalation) return undefined;
        const digest = await gatherMuted(pool, row, clock.now());
        if (digest) nudges.push(digest);
        return digest === undefined ? undefined : 'postponed';
      },
    },
    {
      name: 'wait for earlier deliveries',
      run: async ({ row }) => {
        if (!row.resolved && row.acknowledges === null) return undefined;
        return postponeUntil(parts, row.id, await waitForEarlier(pool, row, clock.now()));
      },
    },
    {
      name: 'wait for the share of computing',
      run: async ({ row }) => {
        const mayCompute = !isCostly(row) || !computing.mustWait(row.owner_id);
        return postponeUntil(parts, row.id, mayCompute ? null : clock.now() + WAIT_FOR_SHARE_MS);
      },
    },
    {
      name: 'check the recipient',
      run: async (context) => {
        const { row } = context;
        if (!isMail(row.type)) return undefined;
        const { waitUntilMs, ...decision } = await mails.look(row);
        context.whyNotSent = decision.whyNotSent;
        context.unsubscribeUrl = decision.unsubscribeUrl;
        context.acknowledgeUrl = decision.acknowledgeUrl;
        return postponeUntil(parts, row.id, waitUntilMs);
      },
    },
  ];
}

/** They have the delivery to themselves. */
function stagesAfterLease(parts: StageParts): AttemptStage[] {
  const { pool, clock, mails, digests, log } = parts;
  return [
    {
      name: 'aggregate',
      run: async (context) => ((await digests.aggregate(leaseOf(context))) ? 'postponed' : undefined),
    },
    {
      name: 'charge the mail',
      run: async (context) => {
        if (!isMail(context.row.type)) return undefined;
        const untilMs = await mails.charge(context.row);
        if (untilMs === null) return undefined;
        await postponeLeased(pool, leaseOf(context), untilMs);
        return 'postponed';
      },
    },
    {
      name: 'send',
      evenIfRefused: true,
      run: async (context) => {
        const startedMs = clock.now();
        const started = performance.now();
        const outcome = await send(parts, context);
        context.attempt = { outcome, startedMs, durationMs: Math.round(performance.now() - started) };
        return undefined;
      },
    },
    { name: 'record', evenIfRefused: true, run: (context) => log.record(context) },
  ];
}

/** True for the first attempt of a delivery that was planned for the end of a mute; a digest has nothing to wait for. */
function waitsForMute({ after_mute, attempts, digest_minute_ms }: DeliveryRow): boolean {
  return Boolean(after_mute) && attempts === 0 && digest_minute_ms === null;
}

/** True if it takes much more computing than others: for templates, a digest, an authority, or large texts. */
function isCostly({ type, destination, body, ...row }: DeliveryRow): boolean {
  if (row.digest_minute_ms !== null) return true;
  if (type === 'url' && (hasTemplates({ destination, body }) || row.ca_certificate !== null)) return true;
  const texts = [row.text, row.details, row.headers, row.secrets];
  return texts.reduce((total, text) => total + (text?.length ?? 0), 0) > COSTLY_CHARACTERS;
}

async function postponeUntil(
  { pool, clock }: StageParts,
  deliveryId: number,
  untilMs: number | null,
): Promise<'postponed' | undefined> {
  if (untilMs === null) return undefined;
  await postpone(pool, deliveryId, untilMs, clock.now());
  return 'postponed';
}

/** The outcome of an attempt, also of one that threw: otherwise nothing would count it, and it would never end. */
async function send(parts: StageParts, context: AttemptContext): Promise<AttemptOutcome> {
  try {
    return await build(parts, context);
  } catch (error) {
    // MySQL is away: nothing could be recorded either.
    if (!isPermanent(error)) throw error;
    parts.logger.error({ deliveryId: context.row.id, err: error }, 'a delivery could not be built or sent');
    return { kind: 'retry-later', reason: 'the platform could not build or send the delivery', ours: true };
  }
}

async function build(
  { pool, clock, channels, outgoing, computing }: StageParts,
  { row, onSent, ...context }: AttemptContext,
): Promise<AttemptOutcome> {
  if (context.whyNotSent !== null) return { kind: 'refused', reason: context.whyNotSent };
  const channel = entryOf(channels, row.type);
  const compute: Compute = (steps) => computing.run(row.owner_id, steps);
  const alert = await findAlert(pool, row, { nowMs: clock.now(), compute });
  const digest = await findDigest(pool, row, compute);
  const names = await findEventNames(pool, row);
  if (digest?.count === 0) return { kind: 'refused', reason: 'what it held was deleted' };
  const { unsubscribeUrl, acknowledgeUrl } = context;
  const extras = { unsubscribeUrl, acknowledgeUrl, alert, digest, names };
  const built = await compute(inOneStep(() => outgoing.build(row, extras, clock.now())));
  return 'kind' in built ? built : channel.send(built, onSent, compute);
}

/** The lease of an attempt in a stage after `lease`. */
function leaseOf({ lease }: AttemptContext): Lease {
  if (!lease) throw new Error('this stage needs a lease');
  return lease;
}

/**
 * Why a delivery must not be sent at all, or null if it may. The end of an episode is sent even if the episode ended by
 * the deletion of its sensor or trigger.
 */
function whyNotSent(row: DeliveryRow): string | null {
  if (row.owner_disabled_ms !== null) return 'the account is disabled';
  if (row.signing_secret === null) return 'the notification was deleted';
  if (!row.resolved) {
    if (row.sensor_id !== null && row.present_sensor_id === null) return 'the sensor was deleted';
    if (row.trigger_id !== null && row.present_trigger_id === null) return 'the trigger was deleted';
  }
  if (row.enabled || isSentWhileOff(row)) return null;
  return `the notification is switched off (${row.disabled_reason})`;
}
