import { partsOf } from '../../platform/parts-of';
import type { RunSql } from '../../storage/transaction';
import { readWaitingFirings } from './escalations';

/** An episode whose trigger depends on another one. */
export interface DependentEpisode {
  firstId: number;
  sensorId: number;
  parentId: number;
  /** The metatag whose value both sensors have; null for the same sensor. */
  label: string | null;
  /** The firing that is recorded as its holder. */
  heldBy: number | null;
}

/** Knows which open episodes hold the deliveries of others. */
export interface Holders {
  /** Records what holds the episodes of an owner. Returns the first firings of those that are held. */
  hold(ownerId: number, episodes: readonly DependentEpisode[], nowMs: number): Promise<ReadonlySet<number>>;
}

/** Two triggers may notice one failure in either order, this far apart. */
const NOTICE_MS = 2_000;

/** When a delivery of a dependent trigger goes out, unless something holds it then. */
export function noticedMs(beganMs: number, firedMs: number, waitS: number): number {
  return Math.max(beganMs + waitS * 1000, firedMs + NOTICE_MS);
}

const DELIVERIES_PER_STATEMENT = 1_000;

/** Requires the transaction that ends the episodes, by their first firings. What something else holds waits again. */
export async function releaseHeld(run: RunSql, holderIds: readonly number[], nowMs: number): Promise<void> {
  const waiting = await readWaitingFirings(run, 'e.held_by IN (?) AND e.is_lasting', holderIds);
  await makeDue(run, waiting, nowMs);
}

/** Requires the transaction that changes what the trigger depends on. */
export async function recheckHeld(run: RunSql, triggerId: number, nowMs: number): Promise<void> {
  const condition = 'e.trigger_id IN (?) AND e.held_by IS NOT NULL AND e.is_lasting';
  await makeDue(run, await readWaitingFirings(run, condition, [triggerId]), nowMs);
}

async function makeDue(run: RunSql, waiting: readonly { deliveryId: number }[], nowMs: number): Promise<void> {
  for (const part of partsOf(waiting, DELIVERIES_PER_STATEMENT)) {
    const ids = part.map(({ deliveryId }) => deliveryId);
    await run(
      `UPDATE deliveries SET next_attempt_ms = ? WHERE id IN (?) AND status = 'pending' AND lease IS NULL
         AND digest_id IS NULL AND next_attempt_ms IS NOT NULL`,
      [nowMs, ids],
    );
  }
}
