import { type Compute, inOneStep } from '../../platform/steps';
import { isPermanent } from '../../storage/mysql-errors';
import { runOn } from '../../storage/transaction';
import { findAlert } from './alerts';
import type { AttemptContext, Lease } from './attempt';
import type { AttemptStage, StageParts } from './attempt-stage';
import { entryOf } from './channels';
import type { AttemptOutcome } from './delivery-schedule';
import { findDigest } from './digests';
import { findEventNames } from './event-names';
import { postponeLeased } from './leases';
import { isMail } from './mail/mail-recipients';
import { findFirstMail } from './mail/mail-threads';
import { withSensorsApart } from './sensors-apart';
import { stagesBeforeLease } from './stages-before-lease';
import { findTextNote } from './text-note';

export function attemptStages(parts: StageParts): AttemptStage[] {
  return [
    ...stagesBeforeLease(parts),
    { name: 'lease', evenIfRefused: true, run: (context) => parts.receivers.lease(context) },
    ...stagesAfterLease(parts),
  ];
}

/** One attempt at a time runs these stages for a delivery. */
function stagesAfterLease(parts: StageParts): AttemptStage[] {
  const { pool, clock, mails, digests, log } = parts;
  return [
    {
      name: 'aggregate',
      run: async (context) => {
        const lease = leaseOf(context);
        if (await digests.aggregate(lease)) return 'postponed';
        const digest = await digests.gatherThrottled(lease);
        if (digest) context.nudges.push(digest);
        return digest && 'postponed';
      },
    },
    {
      name: 'charge the mail',
      run: async (context) => {
        if (!isMail(context.row.type)) return undefined;
        const wait = await mails.charge(context.row);
        if (wait === null) return undefined;
        const lease = leaseOf(context);
        if (!(await digests.aggregateBeyond(lease, wait.reason))) await postponeLeased(pool, lease, wait);
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

/** Also returns an outcome if building throws: otherwise the attempt would never count. */
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
  const run = runOn(pool);
  const channel = entryOf(channels, row.type);
  const compute: Compute = (steps) => computing.run(row.owner_id, steps);
  const found = await findAlert(pool, row, { nowMs: clock.now(), compute });
  const [alert] = await withSensorsApart(run, { ownerId: row.owner_id, alerts: found ? [found] : [], compute });
  const digest = await findDigest(pool, row, compute);
  const names = await findEventNames(pool, row);
  if (digest?.count === 0) return { kind: 'refused', reason: 'its alerts were deleted' };
  const firstMailId = await findFirstMail(pool, row, alert);
  const { unsubscribeUrl, acknowledgeUrl } = context;
  const extras = { unsubscribeUrl, acknowledgeUrl, firstMailId, alert, digest, names };
  const built = await compute(inOneStep(() => outgoing.build(row, extras, clock.now())));
  if ('kind' in built) return built;
  const textNote = await findTextNote(run, row, compute);
  const outcome = await channel.send(built, onSent, compute);
  const notes = [outcome.note, textNote].filter((note) => note !== undefined);
  return notes.length === 0 ? outcome : { ...outcome, note: notes.join('; ') };
}

function leaseOf({ lease }: AttemptContext): Lease {
  if (!lease) throw new Error('this stage needs a lease');
  return lease;
}
