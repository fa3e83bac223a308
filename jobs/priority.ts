/** 1 is first, this one last. A job without a priority would overtake all others. */
export const LAST_PRIORITY = 2 ** 21;
const MIDDLE = LAST_PRIORITY / 2;

/** Passes, reconcilers, dispatch of events. */
export const PLATFORM_PRIORITY = MIDDLE;

/** The most urgent first. */
const CAUSES = ['critical', 'trigger', 'end', 'event'] as const;
export type DeliveryCauseKind = (typeof CAUSES)[number];

/** Maximum of users, and the priority of a critical firing. */
const HIGHEST = 200_000;

/**
 * Among deliveries of an owner that wait for a permit, the lowest first: critical firings, then by `userPriority` (clamped to
 * ±200,000), then firings, ends of episodes, events.
 */
export function throttledRank(userPriority: number, cause: DeliveryCauseKind): number {
  const cut = cause === 'critical' ? HIGHEST : Math.max(-HIGHEST, Math.min(HIGHEST, Math.trunc(userPriority)));
  return MIDDLE - CAUSES.length * cut + CAUSES.indexOf(cause);
}

/** Among its owner's deliveries the highest goes first. */
export function ownPriority(userPriority: number, cause: DeliveryCauseKind): number {
  return cause === 'critical' ? Number.MAX_SAFE_INTEGER : userPriority - CAUSES.indexOf(cause) / CAUSES.length;
}
