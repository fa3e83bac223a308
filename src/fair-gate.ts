import { TooMany } from './errors';

type Enter = () => void;

/**
 * Lets a few pass at the same time, and those who wait by turns of their owners, which are users or addresses: however many
 * requests of one owner wait, the next of another is the next but one.
 */
export class FairGate<Owner extends number | string> {
  private inside = 0;
  private readonly waiting = new Map<Owner, Set<Enter>>();

  constructor(
    private readonly atOnce: number,
    private readonly perOwner: number,
  ) {}

  /** Waits for a place; TooMany when too many of the owner wait already. The function that it gives back frees the place. */
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
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        queue.delete(enter);
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
      if (queue.size > 0) this.waiting.set(owner, queue); // behind the others
      enter();
      return;
    }
    this.inside -= 1;
  }
}
