import { TooMany } from '../../errors';

type Enter = () => void;

/**
 * Lets a few pass at the same time, and those who wait by turns of their users: however many requests of one user wait,
 * the next of another is the next but one.
 */
export class FairGate {
  private inside = 0;
  private readonly waiting = new Map<number, Set<Enter>>();

  constructor(
    private readonly atOnce: number,
    private readonly perUser: number,
  ) {}

  /** Waits for a place; TooMany when too many of the user wait already. The function that it gives back frees the place. */
  async enter(userId: number, signal: AbortSignal): Promise<() => void> {
    // Who has gone already would never free the place.
    if (signal.aborted) throw new TooMany('the request was given up', 1);
    // A place that is freed goes to the next in line and stays counted.
    if (this.inside < this.atOnce) this.inside += 1;
    else await this.wait(userId, signal);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.next();
    };
  }

  private wait(userId: number, signal: AbortSignal): Promise<void> {
    const queue = this.waiting.get(userId) ?? new Set();
    if (queue.size >= this.perUser) throw new TooMany('too many of your requests wait', 1);
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        queue.delete(enter);
        if (queue.size === 0) this.waiting.delete(userId);
        reject(new TooMany('the request was given up', 1));
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.add(enter);
      this.waiting.set(userId, queue);
    });
  }

  private next(): void {
    for (const [userId, queue] of this.waiting) {
      const [enter] = queue;
      this.waiting.delete(userId);
      if (!enter) continue;
      queue.delete(enter);
      if (queue.size > 0) this.waiting.set(userId, queue); // behind the others
      enter();
      return;
    }
    this.inside -= 1;
  }
}
