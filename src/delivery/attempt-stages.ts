import type { Pool } from 'mysql2/promise';
import type { FairShareScheduler } from '../fairness/fair-share-scheduler';
import { PacedWork } from '../fairness/paced-work';
import type { Clock } from '../platform/clock';
import type { AttemptOutcome } from '../rules/delivery-schedule';
import { hasTemplates } from '../rules/webhook-request';
import { findAlert } from './alerts';
import type { AttemptContext, AttemptEnd, DeliveryRow, Lease } from './attempt';
import type { AttemptLog } from './attempt-log';
import { entryOf, type OpenChannels } from './channels';
import { isSentWhileOff } from './delivery-rows';
import { type Digests, findDigest, isInDigest, leaveInDigest } from './digests';
import { waitForEarlier } from './earlier-deliveries';
import { findEventNames } from './event-names';
import { postpone, postponeLeased } from './leases';
import type { MailGate } from './mail/mail-gate';
import { isMail } from './mail/mail-recipients';
import { gatherMuted, waitForMute } from './muted-deliveries';
import type { OutgoingBuilder } from './outgoing';
import type { ReceiverQueue } from './receiver-queue';

/** How long a delivery waits if its owner has used up their share of this process for templates, in ms. */
const WAIT_FOR_SHARE_MS = 1_000;

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
  /** Charges the computing time of templates to the owners of their notifications. */
  shares: FairShareScheduler;
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
  const { pool, clock, mails, shares } = parts;
  return [
    {
      name: 'refuse',
      run: async (context) => {
        context.whyNotSent = whyNotSent(context.row);
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
        return postponeUntil(parts, row.id, await waitForMute(pool, row, clock.now()));
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
      name: 'wait for the share of templates',
      run: async ({ row }) => {
        const mayCompute = !rendersTemplates(row) || !shares.mustWait(row.owner_id);
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

/** True if the request is built by templates, which cost much more than the bodies of the platform. */
function rendersTemplates({ type, destination, body }: DeliveryRow): boolean {
  return type === 'url' && hasTemplates({ destination, body });
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

async function send(
  { pool, clock, channels, outgoing, shares }: StageParts,
  { row, onSent, ...context }: AttemptContext,
): Promise<AttemptOutcome> {
  if (context.whyNotSent !== null) return { kind: 'refused', reason: context.whyNotSent };
  const channel = entryOf(channels, row.type);
  const work = new PacedWork(shares, row.owner_id);
  const alert = await findAlert(pool, row, { nowMs: clock.now(), work });
  const digest = await findDigest(pool, row);
  const names = await findEventNames(pool, row);
  if (digest?.count === 0) return { kind: 'refused', reason: 'what it held was deleted' };
  const { unsubscribeUrl, acknowledgeUrl } = context;
  const built = outgoing.build(row, { unsubscribeUrl, acknowledgeUrl, alert, digest, names }, clock.now());
  if ('kind' in built) return built;
  const started = shares.now();
  const sending = channel.send(built, onSent); // renders before it waits for anything
  if (rendersTemplates(row)) shares.chargeTime(row.owner_id, shares.now() - started);
  return sending;
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
