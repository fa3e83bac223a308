import { toUnixSecondsOrNull } from '../../edge/dates';
import type { Wait } from '../delivery/waiting';

/** Why deliveries wait: a limit, a failed attempt, or a receiver. */
export interface WaitingView {
  /**
   * Names the limit and whose it is, or the failure.
   * @example "the hourly limit of 60 mails to ward@example.org is reached"
   */
  reason: string;
  /**
   * When the next try is planned (unix seconds); `null` if that is not known.
   * @example 1795231680
   */
  until: number | null;
  /**
   * How many deliveries of the notification wait.
   * @isInt
   * @example 12
   */
  count: number;
}

/** Why deliveries wait, in their owner's view. */
export function toWaitingView(waiting: (Wait & { count: number }) | null | undefined): WaitingView | null {
  if (!waiting) return null;
  return { reason: waiting.reason, until: toUnixSecondsOrNull(waiting.untilMs), count: waiting.count };
}
