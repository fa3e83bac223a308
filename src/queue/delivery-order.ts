import { type DeliveryCauseKind, LAST_PRIORITY, ownPriority } from '../../jobs/priority';
import { LruCache } from '../platform/lru-cache';
import { DELIVERY_TICK_MS, ORDERED_OWNERS, PRIORITIES_PER_OWNER } from './knobs';

interface Level {
  /** The user's priority, less a fraction for what is less urgent. */
  priority: number;
  tick: number;
}

interface Queued {
  ownerId: number;
  priority: number;
  cause: DeliveryCauseKind;
}

/**
 * After L. Zhang, "VirtualClock" (1990): an owner's first delivery ranks by its arrival, further ones are spread over
 * the time after it. A backlog delays no other owner.
 */
export class DeliveryOrder {
  private readonly owners = new LruCache<number, Level[]>(ORDERED_OWNERS);

  constructor(private readonly now: () => number) {}

  next({ ownerId, priority, cause }: Queued): number {
    const tickNow = Math.floor(this.now() / DELIVERY_TICK_MS);
    const level = { priority: ownPriority(priority, cause), tick: tickNow };
    const levels = (this.owners.find(ownerId) ?? []).filter(({ tick }) => tick >= tickNow);
    for (const other of levels) if (other.priority >= level.priority) level.tick = Math.max(level.tick, other.tick + 1);
    const others = levels.filter((other) => other.priority !== level.priority);
    this.owners.set(ownerId, [...others, level].slice(-PRIORITIES_PER_OWNER));
    // When the numbers wrap around, every six hours, some waiting deliveries are overtaken once.
    return 1 + (level.tick % LAST_PRIORITY);
  }
}
