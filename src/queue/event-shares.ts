import { ALL_USERS, type EventShare, SHARES_PER_WORKER, shareKey } from '../../jobs/event.job';
import { DISPATCHERS } from './knobs';

/**
 * Divides the users whose events are dispatched concurrently into shares: a fixed number of shares per worker, or a
 * single share while the number of workers is unknown. Processes need not agree: the locks on a user's events keep them
 * in order.
 */
export class EventShares {
  constructor(private readonly workers: { readonly latest: number | undefined }) {}

  /** The nudges for events of these users, or of all users, by deduplication key. */
  nudgesOf(userIds?: Iterable<number>): Map<string, EventShare> {
    const { latest } = this.workers;
    const of = latest ? Math.min(DISPATCHERS, SHARES_PER_WORKER * latest) : ALL_USERS.of;
    const shares = userIds
      ? [...new Set([...userIds].map((id) => id % of))]
      : Array.from({ length: of }, (_, share) => share);
    return new Map(shares.map((share) => [shareKey({ share, of }), { share, of }]));
  }
}
