/** BullMQ's priorities: 1 is first, this one last. A job without a priority would overtake all others. */
export const LAST_PRIORITY = 2 ** 21;
const MIDDLE = LAST_PRIORITY / 2;

/** The priority of the platform's own jobs: passes, reconcilers, dispatch of events. */
export const PLATFORM_PRIORITY = MIDDLE;

/**
 * The rank of a throttled delivery among those that wait for the same permit, the lowest first. A higher `userPriority`
 * comes first and is clamped to ±400,000; at equal priority triggers go before events.
 */
export function throttledRank(userPriority: number, cause: 'trigger' | 'event'): number {
  const cut = Math.max(-400_000, Math.min(400_000, Math.trunc(userPriority)));
  return MIDDLE - 2 * cut + (cause === 'trigger' ? 0 : 1);
}
