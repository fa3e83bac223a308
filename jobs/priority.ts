/** BullMQ's priorities: 1 is first, this one last. A job without a priority would overtake all others. */
export const LAST_PRIORITY = 2 ** 21;
const MIDDLE = LAST_PRIORITY / 2;

/** The priority of the platform's own jobs: passes, reconcilers, dispatch of events. */
export const PLATFORM_PRIORITY = MIDDLE;

/** What causes a delivery, the most urgent first: a critical firing, another one, the end of an episode, an event. */
const CAUSES = ['critical', 'trigger', 'end', 'event'] as const;
export type DeliveryCauseKind = (typeof CAUSES)[number];

/** The highest priority that users can give; a critical firing has it. */
const HIGHEST = 200_000;

/**
 * The rank of a throttled delivery among those of its owner that wait for the same permit, the lowest first. A critical firing comes
 * first of all. Then a higher `userPriority` comes first and is clamped to ±200,000; at equal priority firings go before
 * the ends of episodes, and these before events.
 */
export function throttledRank(userPriority: number, cause: DeliveryCauseKind): number {
  const cut = cause === 'critical' ? HIGHEST : Math.max(-HIGHEST, Math.min(HIGHEST, Math.trunc(userPriority)));
  return MIDDLE - CAUSES.length * cut + CAUSES.indexOf(cause);
}

/** The priority of a delivery among the deliveries of its owner. The highest one goes first. */
export function ownPriority(userPriority: number, cause: DeliveryCauseKind): number {
  return cause === 'critical' ? Number.MAX_SAFE_INTEGER : userPriority - CAUSES.indexOf(cause) / CAUSES.length;
}
