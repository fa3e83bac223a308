import { type DeliveryCauseKind, LAST_PRIORITY, ownPriority } from '../../jobs/priority';
import { LruCache } from '../platform/lru-cache';
import { DELIVERY_TICK_MS, ORDERED_OWNERS, PRIORITIES_PER_OWNER } from './knobs';

interface Level {
  /** The user's priority, less by a fraction for what is less urgent at equal priority. */
  priority: number;
  tick: number;
}

interface Queued {
  ownerId: number;
  priority: number;
  cause: DeliveryCauseKind;
}

/**
 * The order in which deliveries leave the queue, as BullMQ priorities. The first delivery of each owner ranks by its
 * time of arrival, and further ones are spread over the time after it. So however many deliveries of one owner wait,
 * those of another are next, and a user's priority only ranks that user's own deliveries. After L. Zhang,
 * "VirtualClock" (1990).
 */
export class DeliveryOrder {
  private readonly owners = new LruCache<number, Level[]>(ORDERED_OWNERS);

  constructor(private readonly now: () => number) {}

  /** The BullMQ priority of the next delivery. Call it in the order in which equal deliveries must go out. */
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
