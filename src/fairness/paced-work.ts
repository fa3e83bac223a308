import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import type { FairShareScheduler } from './fair-share-scheduler';
import { LONGEST_WAIT_MS, PAUSE_AFTER_MS, WAIT_STEP_MS } from './knobs';

/**
 * Computing work of an owner outside of evaluation passes. Steps are charged; between them the process does other work.
 */
export class PacedWork {
  private sincePauseMs = 0;

  constructor(
    private readonly shares: FairShareScheduler,
    private readonly ownerId: number,
  ) {}

  /** Charges a step, which must take at most some milliseconds. */
  measure<T>(step: () => T): T {
    const started = this.shares.now();
    try {
      return step();
    } finally {
      const ms = this.shares.now() - started;
      this.sincePauseMs += ms;
      this.shares.chargeTime(this.ownerId, ms);
    }
  }

  /** Cheap: check after each step. */
  get isPauseDue(): boolean {
    return this.sincePauseMs > PAUSE_AFTER_MS;
  }

  async pause(): Promise<void> {
    await nextTick();
    for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS && this.shares.mustWait(this.ownerId); waitedMs += WAIT_STEP_MS) {
      await sleep(WAIT_STEP_MS);
    }
    this.sincePauseMs = 0;
  }
}
