import { ALL_USERS, type EventShare, SHARES_PER_WORKER, shareKey } from '../../jobs/event.job';

/** More dispatchers at a time than that only wait for MySQL, which writes all that they dispatch. */
const MOST_SHARES = 8;

/**
 * Shares out the users whose events are dispatched at the same time: so many for each worker, and one for all while the number of workers
 * is not known. Processes need not agree: what keeps the events of a user in order are the locks on them.
 */
export class EventShares {
  constructor(private readonly workers: { readonly latest: number | undefined }) {}

  /** The nudges for events of these users, or of all, by what distinguishes them. */
  nudgesOf(userIds?: Iterable<number>): Map<string, EventShare> {
    const { latest } = this.workers;
    const of = latest ? Math.min(MOST_SHARES, SHARES_PER_WORKER * latest) : ALL_USERS.of;
    const shares = userIds
      ? [...new Set([...userIds].map((id) => id % of))]
      : Array.from({ length: of }, (_, share) => share);
    return new Map(shares.map((share) => [shareKey({ share, of }), { share, of }]));
  }
}
