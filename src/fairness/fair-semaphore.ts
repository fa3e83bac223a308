import { TooMany, Unavailable } from '../platform/errors';

type Enter = () => void;

/** What waits, counted in whatever is limited. */
export interface Waiting {
  ofAll: number;
  ofOwner: number;
  owners: number;
}

/**
 * Whether so much more of one owner is too much for all: only once the limit of all is reached, and only for those who have
 * more than their equal share of it. So nobody is refused because of what others let wait, and no more than twice the limit
 * ever waits.
 */
export function exceedsFairShare({ ofAll, ofOwner, owners }: Waiting, more: number, limit: number): boolean {
  return ofAll + more > limit && ofOwner + more > limit / Math.max(1, owners);
}

/** 503: so many wait that there is no sense in waiting, too. */
export function queueFull(): Unavailable {
  return new Unavailable('too many requests wait at the moment; try again later', 1);
}

/**
 * Lets a few pass at the same time, and those who wait by turns of their owners, which are users or addresses: however many
 * requests of one owner wait, the next of another is the next but one.
 */
export class FairSemaphore<Owner extends number | string> {
  private inside = 0;
  private ofAll = 0;
  private readonly waiting = new Map<Owner, Set<Enter>>();

  constructor(
    private readonly atOnce: number,
    private readonly perOwner: number,
    private readonly inAll = Number.POSITIVE_INFINITY,
  ) {}

  /**
   * Waits for a place; TooMany when too many of the owner wait already, Unavailable when too many wait in all. The function
   * that it gives back frees the place.
   */
  async enter(owner: Owner, signal?: AbortSignal): Promise<() => void> {
    // Who has gone already would never free the place.
    if (signal?.aborted) throw new TooMany('the request was given up', 1);
    // A place that is freed goes to the next in line and stays counted.
    if (this.inside < this.atOnce) this.inside += 1;
    else await this.wait(owner, signal);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.next();
    };
  }

  /** Does `work` inside, and frees the place when it has ended. */
  async run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(owner);
    return work().finally(leave);
  }

  private wait(owner: Owner, signal?: AbortSignal): Promise<void> {
    const queue = this.waiting.get(owner) ?? new Set();
    if (queue.size >= this.perOwner) throw new TooMany('too many of your requests wait', 1);
    const owners = this.waiting.size + (queue.size === 0 ? 1 : 0);
    if (exceedsFairShare({ ofAll: this.ofAll, ofOwner: queue.size, owners }, 1, this.inAll)) throw queueFull();
    this.ofAll += 1;
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        queue.delete(enter);
        this.ofAll -= 1;
        if (queue.size === 0) this.waiting.delete(owner);
        reject(new TooMany('the request was given up', 1));
      };
      signal?.addEventListener('abort', leave, { once: true });
      queue.add(enter);
      this.waiting.set(owner, queue);
    });
  }

  private next(): void {
    for (const [owner, queue] of this.waiting) {
      const [enter] = queue;
      this.waiting.delete(owner);
      if (!enter) continue;
      queue.delete(enter);
      this.ofAll -= 1;
      if (queue.size > 0) this.waiting.set(owner, queue); // behind the others
      enter();
      return;
    }
    this.inside -= 1;
  }
}
