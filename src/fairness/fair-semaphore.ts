import { TooMany, Unavailable } from '../platform/errors';

type Enter = () => void;

/** The waiting amounts, in the unit of the limit. */
export interface Waiting {
  ofAll: number;
  ofOwner: number;
  owners: number;
}

/**
 * True if admitting `more` would exceed the global limit and the tenant's equal share of it. So no tenant is refused
 * because of the backlog of others, and the backlog never exceeds twice the limit.
 */
export function exceedsFairShare({ ofAll, ofOwner, owners }: Waiting, more: number, limit: number): boolean {
  return ofAll + more > limit && ofOwner + more > limit / Math.max(1, owners);
}

/** 503: the queue is full. */
export function queueFull(): Unavailable {
  return new Unavailable('too many requests wait at the moment; try again later', 1);
}

/**
 * A semaphore that is fair between owners, which are users or addresses. Waiting requests are admitted round-robin by
 * owner: however many requests of one owner wait, the next request of another is the next but one.
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
   * Waits for a permit. Throws TooMany if too many requests of the owner are waiting, Unavailable if too many are
   * waiting in total. Call the returned function to release the permit.
   */
  async enter(owner: Owner, signal?: AbortSignal): Promise<() => void> {
    // An aborted request would never release the permit.
    if (signal?.aborted) throw new TooMany('the request was given up', 1);
    // A released permit goes to the next in line and stays counted.
    if (this.inside < this.atOnce) this.inside += 1;
    else await this.wait(owner, signal);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.next();
    };
  }

  /** Runs `work` with a permit, and releases the permit when it has ended. */
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
