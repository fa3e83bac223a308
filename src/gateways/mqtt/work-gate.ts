import { FairSemaphore } from '../../fairness/fair-semaphore';
import type { FairShareScheduler } from '../../fairness/fair-share-scheduler';
import { PAUSE_AFTER_MS } from '../../fairness/knobs';
import { PacedWork } from '../../fairness/paced-work';

/** Round-robin between owners. Without the gate all connections with a message would decode one after another. */
export class WorkGate {
  private readonly permits = new FairSemaphore<number>({ atOnce: 1 });
  private sincePauseMs = 0;

  constructor(private readonly shares: FairShareScheduler) {}

  open(ownerId: number): GatedWork {
    const work = new PacedWork(this.shares, ownerId);
    return { run: (step) => this.run(ownerId, work, step) };
  }

  private async run<T>(ownerId: number, work: PacedWork, step: () => T): Promise<T> {
    if (work.isPauseDue) await work.pause();
    const leave = await this.permits.enter(ownerId);
    const started = this.shares.now();
    try {
      return work.measure(step);
    } finally {
      this.sincePauseMs += this.shares.now() - started;
      if (this.sincePauseMs > PAUSE_AFTER_MS) {
        this.sincePauseMs = 0;
        setImmediate(leave);
      } else leave();
    }
  }
}

export interface GatedWork {
  /** Charges the owner for a step of some milliseconds at most. Waits while the owner must. */
  run<T>(step: () => T): Promise<T>;
}
