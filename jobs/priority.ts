/** BullMQ's priorities: 1 is first, 2,097,152 last; a job without one would overtake all. */
const MIDDLE = 1_000_000;

/** What the platform itself asks for: turns, sweeps, matching of events. */
export const PLATFORM_PRIORITY = MIDDLE;

/**
 * The BullMQ priority of a delivery. `userPriority` counts high to low and is cut to ±400,000; at equal priority
 * triggers go before events.
 */
export function deliveryPriority(userPriority: number, cause: 'trigger' | 'event'): number {
  const cut = Math.max(-400_000, Math.min(400_000, Math.trunc(userPriority)));
  return MIDDLE - 2 * cut + (cause === 'trigger' ? 0 : 1);
}
