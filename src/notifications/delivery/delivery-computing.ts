import { setImmediate as nextTick } from 'node:timers/promises';
import { FairSemaphore } from '../../fairness/fair-semaphore';
import { FairShareScheduler } from '../../fairness/fair-share-scheduler';
import { PAUSE_AFTER_MS } from '../../fairness/knobs';
import { PacedWork } from '../../fairness/paced-work';
import type { Steps } from '../../platform/steps';

/**
 * Recent computing in ms after which costly deliveries wait: half of the owner's share. Other work does not count, so
 * that an evaluation never holds deliveries up.
 */
const DELIVERY_DEBT_MS = 750;

/** Runs one step at a time, round-robin over owners, with pauses. Charges owners. */
export class DeliveryComputing {
  private readonly permits = new FairSemaphore<number>({ atOnce: 1 });
  private readonly used: FairShareScheduler;
  private sincePauseMs = 0;

  constructor(private readonly shares: FairShareScheduler) {
    this.used = new FairShareScheduler(shares.now);
  }

  /** True if the owner's deliveries have recently used more than their share. */
  mustWait(ownerId: number): boolean {
    return this.used.usedMs(ownerId) > DELIVERY_DEBT_MS;
  }

  /** Throws what the steps throw. A step must take at most some milliseconds. */
  async run<T>(ownerId: number, steps: Steps<T>): Promise<T> {
    for (;;) {
      const step = await this.permits.run(ownerId, () => this.slice(ownerId, steps));
      if (step.done) return step.value;
    }
  }

  private async slice<T>(ownerId: number, steps: Steps<T>): Promise<IteratorResult<undefined, T>> {
    const work = new PacedWork(this.shares, ownerId);
    const started = this.shares.now();
    const before = this.sincePauseMs;
    try {
      for (;;) {
        const step = work.measure(() => steps.next());
        this.sincePauseMs = before + this.shares.now() - started;
        if (step.done || this.sincePauseMs > PAUSE_AFTER_MS) return step;
      }
    } finally {
      this.used.chargeTime(ownerId, this.shares.now() - started);
      await this.pauseIfDue();
    }
  }

  private async pauseIfDue(): Promise<void> {
    if (this.sincePauseMs <= PAUSE_AFTER_MS) return;
    this.sincePauseMs = 0;
    await nextTick();
  }
}
