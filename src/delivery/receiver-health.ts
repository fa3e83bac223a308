import type { Attempt } from './attempt';
import { channelOf } from './channels';

const SLOW_MS = 3_000;

/** A receiver is degraded after this number of consecutive slow or failed attempts. It then gets fewer permits. */
export const DEGRADED_AFTER = 3;

/**
 * True if an attempt through this channel shows that the receiver is slow, overloaded or unreachable. A receiver that
 * rejects this one delivery is healthy.
 */
export function isReceiverFailure(
  type: string,
  { outcome, durationMs }: Pick<Attempt, 'outcome' | 'durationMs'>,
): boolean {
  if (durationMs >= SLOW_MS) return true;
  return outcome.kind === 'retry-later' && channelOf(type).isReceiverFailure(outcome);
}
