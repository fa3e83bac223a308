import { type DateInput, readDate } from '../../edge/dates';

/** Mutes by the link in an alert. */
export interface LinkedMuteQuery {
  /**
   * The token of the link.
   * @example "k17-207.o9Xyx3sJmVbHkGmX4n2f0mY0yqv3m1sG6m4kqz7F1aE"
   */
  token: string;
  /**
   * Unix seconds: when the mute ends, at most 12 hours ahead; by default in an hour.
   * @minimum 0
   * @maximum 253402300799
   * @example 1795243600
   */
  until?: DateInput;
}

/** Undefined without a time. */
export function readUntil({ until }: LinkedMuteQuery): number | undefined {
  return until === undefined ? undefined : readDate(until, 'until');
}
