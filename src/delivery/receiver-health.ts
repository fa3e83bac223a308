import type { Attempt } from './attempt';
import { channelOf } from './channels';

const SLOW_MS = 3_000;

/** After this many slow or failed attempts in a row a receiver is degraded and gets fewer attempts at once. */
export const DEGRADED_AFTER = 3;

/**
 * Whether an attempt through this channel shows that the receiver is slow, overloaded or unreachable. A receiver that
 * rejects this one delivery is healthy.
 */
export function isReceiverFailure(
  type: string,
  { outcome, durationMs }: Pick<Attempt, 'outcome' | 'durationMs'>,
): boolean {
  if (durationMs >= SLOW_MS) return true;
  return outcome.kind === 'retry-later' && channelOf(type).isReceiverFailure(outcome);
}
