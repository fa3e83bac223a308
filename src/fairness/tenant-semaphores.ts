import { TooMany } from '../platform/errors';
import { exceedsFairShare, queueFull } from './fair-semaphore';

/** The requests of one owner: how many hold a permit, and the waiting ones, in order. */
interface Line {
  inside: number;
  waiting: Set<() => void>;
}

/**
 * One semaphore per owner, which is a user or an address. Requests beyond the concurrency limit wait in order, and
 * delay no other owner.
 */
export class TenantSemaphores<Owner extends number | string> {
  private readonly lines = new Map<Owner, Line>();
  private ofAll = 0;

  constructor(
    private readonly atOnce: number,
    private readonly mayWait: number,
    private readonly inAll = Number.POSITIVE_INFINITY,
  ) {}

  /**
   * Waits for a permit. Throws TooMany if too many requests of the owner are waiting, Unavailable if too many are
   * waiting in total, and the signal's reason if the request is aborted.
   */
  async enter(owner: Owner, signal: AbortSignal): Promise<() => void> {
    const line = this.lines.get(owner) ?? { inside: 0, waiting: new Set() };
    this.lines.set(owner, line);
    // A released permit goes to the next in line and stays counted.
    if (line.inside < this.atOnce) line.inside += 1;
    else await this.wait(line, signal);
    let isInside = true;
    return () => {
      if (isInside) this.leave(owner, line);
      isInside = false;
    };
  }

  private wait({ waiting }: Line, signal: AbortSignal): Promise<void> {
    if (waiting.size >= this.mayWait) throw new TooMany('too many of your requests wait', 1);
    const load = { ofAll: this.ofAll, ofOwner: waiting.size, owners: this.lines.size };
    if (exceedsFairShare(load, 1, this.inAll)) throw queueFull();
    signal.throwIfAborted();
    this.ofAll += 1;
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(enter);
        this.ofAll -= 1;
        reject(signal.reason);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(enter);
    });
  }

  private leave(owner: Owner, line: Line): void {
    const [next] = line.waiting;
    if (next) {
      line.waiting.delete(next);
      this.ofAll -= 1;
      next();
      return;
    }
    line.inside -= 1;
    if (line.inside === 0) this.lines.delete(owner);
  }
}
