import type { Clock } from '../clock';

/** A receiver counts as quick for this long after a quick answer. */
const QUICK_FOR_MS = 1_000;
const LONGEST_WAIT_MS = 50;
const MAX_RECEIVERS = 1_000;

interface Turns {
  quickUntilMs: number;
  waiting: (() => void)[];
}

/**
 * Parking costs more than a quick receiver takes to answer. So who finds no slot of one waits a moment for the next that
 * this process frees. It only saves work: losing it, or waiting in vain, does no harm.
 */
export class SlotWaitlist {
  private readonly receivers = new Map<string, Turns>();

  constructor(private readonly clock: Clock) {}

  /** An attempt has ended, and its slot is free. */
  freed(receiver: string, wasQuick: boolean): void {
    const turns = this.receivers.get(receiver) ?? { quickUntilMs: 0, waiting: [] };
    turns.quickUntilMs = wasQuick ? this.clock.now() + QUICK_FOR_MS : 0;
    turns.waiting[0]?.();
    if (this.receivers.size >= MAX_RECEIVERS) this.forgetIdle();
    this.receivers.set(receiver, turns);
  }

  /** Waits for the next free slot; false at once when the receiver is not known to be quick. */
  async wait(receiver: string): Promise<boolean> {
    const turns = this.receivers.get(receiver);
    if (!turns || turns.quickUntilMs < this.clock.now()) return false;
    await new Promise<void>((resolve) => {
      const called = () => {
        clearTimeout(timer);
        turns.waiting.splice(turns.waiting.indexOf(called), 1);
        resolve();
      };
      const timer = setTimeout(called, LONGEST_WAIT_MS);
      turns.waiting.push(called);
    });
    return true;
  }

  private forgetIdle(): void {
    for (const [receiver, { quickUntilMs, waiting }] of this.receivers) {
      if (quickUntilMs < this.clock.now() && waiting.length === 0) this.receivers.delete(receiver);
    }
  }
}
