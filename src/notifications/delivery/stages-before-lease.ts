import { kindOf } from '../kinds';
import type { SwitchedOff } from '../notifications/notification-health';
import { hasTemplates } from '../requests/webhook-request';
import type { DeliveryRow, Wait } from './attempt';
import type { AttemptStage, StageParts } from './attempt-stage';
import { isInDigest, leaveInDigest } from './digests';
import { waitForEarlier } from './earlier-deliveries';
import { postpone } from './leases';
import { isMail } from './mail/mail-recipients';
import { gatherMuted, mutedLooks, waitAgain } from './muted-deliveries';

const WAIT_FOR_SHARE_MS = 1_000;
/** Applies once a receiver takes requests again. */
const BETWEEN_RANKS_MS = 500;
const WAITS_FOR_SHARE = 'your deliveries have used up their share of computing time';
const WAITS_FOR_FIRING = 'an earlier delivery of the same alert waits';
const COSTLY_CHARACTERS = 16_384;

/** Several workers may run these stages at once, so they charge nothing and change only when a delivery is due. */
export function stagesBeforeLease(parts: StageParts): AttemptStage[] {
  const { pool, clock, mails, computing } = parts;
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
    ...muteStages(parts),
    {
      name: 'wait for earlier deliveries',
      run: async ({ row }) => {
        if (!kindOf(row).waitsForEarlier) return undefined;
        const untilMs = await waitForEarlier(pool, row, clock.now());
        return postponeUntil(parts, row.id, untilMs === null ? null : { untilMs, reason: WAITS_FOR_FIRING });
      },
    },
    {
      name: 'wait for the receiver',
      run: ({ row }) => postponeUntil(parts, row.id, waitForReceiver(row, clock.now())),
    },
    {
      name: 'wait for the share of computing',
      run: async ({ row }) => {
        const mayCompute = !isCostly(row) || !computing.mustWait(row.owner_id);
        const wait = { untilMs: clock.now() + WAIT_FOR_SHARE_MS, reason: WAITS_FOR_SHARE };
        return postponeUntil(parts, row.id, mayCompute ? null : wait);
      },
    },
    {
      name: 'check the recipient',
      run: async (context) => {
        const { row } = context;
        if (!isMail(row.type)) return undefined;
        const { wait, ...decision } = await mails.judge(row);
        context.whyNotSent = decision.whyNotSent;
        context.unsubscribeUrl = decision.unsubscribeUrl;
        context.acknowledgeUrl = decision.acknowledgeUrl;
        return postponeUntil(parts, row.id, wait);
      },
    },
  ];
}

/** A firing waits for the end of its mute, and of the alert that holds it; it goes out with the others that still fire. */
function muteStages(parts: StageParts): AttemptStage[] {
  const { pool, clock, holders } = parts;
  const looking = { pool, holders };
  const muted = mutedLooks(looking, clock);
  return [
    {
      name: 'wait for the mute and the parent',
      run: async ({ row }) => {
        if (!waitsForMute(row)) return undefined;
        const untilMs = await muted.add(row);
        if (untilMs === null) return undefined;
        await waitAgain(pool, row, untilMs, clock.now());
        return 'postponed';
      },
    },
    {
      name: 'gather after the mute',
      run: async ({ row, nudges }) => {
        if (!waitsForMute(row) || !row.escalation) return undefined;
        const digest = await gatherMuted(looking, row, clock.now());
        if (digest) nudges.push(digest);
        return digest === undefined ? undefined : 'postponed';
      },
    },
  ];
}

function waitsForMute(row: DeliveryRow): boolean {
  return Boolean(row.after_mute) && row.attempts === 0 && Boolean(kindOf(row).waitsForMute);
}

/** After a 429, firings go before ends, critical ones first. A person waits for a test, so it goes at once. */
function waitForReceiver(row: DeliveryRow, nowMs: number): Wait | null {
  const { limited_until_ms: limitedMs, attempts, critical, kind } = row;
  if (attempts > 0 || limitedMs === null || limitedMs <= nowMs || kindOf(row).isSentWhileOff) return null;
  const later = (kind === 'end' ? 2 : 0) + (critical ? 0 : 1);
  const untilMs = limitedMs + later * BETWEEN_RANKS_MS;
  return { untilMs, reason: `the receiver ${row.receiver} asks for fewer requests (429)` };
}

function isCostly({ type, destination, body, ...row }: DeliveryRow): boolean {
  if (row.kind === 'digest') return true;
  if (type === 'url' && (hasTemplates({ destination, body }) || row.ca_certificate !== null)) return true;
  const texts = [row.text, row.details, row.headers, row.secrets];
  return texts.reduce((total, text) => total + (text?.length ?? 0), 0) > COSTLY_CHARACTERS;
}

async function postponeUntil(
  { pool, clock }: StageParts,
  deliveryId: number,
  wait: Wait | null,
): Promise<'postponed' | undefined> {
  if (wait === null) return undefined;
  await postpone(pool, deliveryId, wait, clock.now());
  return 'postponed';
}

/**
 * Null if the delivery may be sent. An end is sent even if its sensor, trigger or notification is gone: the receiver
 * knows of the beginning.
 */
function whyNotSent(row: DeliveryRow): string | null {
  if (row.owner_disabled_ms !== null) return 'the account is disabled';
  if (row.signing_secret === null && !kindOf(row).isOfAccount) return 'the notification was deleted';
  if (!kindOf(row).outlivesItsCause) {
    if (row.sensor_id !== null && row.present_sensor_id === null) return 'the sensor was deleted';
    if (row.trigger_id !== null && row.present_trigger_id === null) return 'the trigger was deleted';
  }
  if (row.enabled || kindOf(row).isSentWhileOff || isLastEnd(row)) return null;
  return `the notification is switched off (${row.disabled_reason})`;
}

function isLastEnd(row: DeliveryRow): boolean {
  const reason: SwitchedOff = 'owner';
  return Boolean(kindOf(row).outlivesItsCause) && row.disabled_reason === reason;
}
