import type { Clock } from '../platform/clock';

/** How long a receiver counts as quick after a quick response. */
const QUICK_FOR_MS = 1_000;
const MAX_WAIT_MS = 50;
const MAX_RECEIVERS = 1_000;

interface ReceiverWaiters {
  quickUntilMs: number;
  waiting: (() => void)[];
}

/**
 * Throttling a delivery costs more time than a quick receiver takes to respond. So if such a receiver has no free
 * permit, the lease waits a moment for the next permit that this process frees. This only saves work: a lost list of
 * waiters, or a wait in vain, does no harm.
 */
export class PermitWaiters {
  private readonly receivers = new Map<string, ReceiverWaiters>();

  constructor(private readonly clock: Clock) {}

  /** Call when an attempt has ended and its permit is free. */
  permitFreed(receiver: string, wasQuick: boolean): void {
    const waiters = this.receivers.get(receiver) ?? { quickUntilMs: 0, waiting: [] };
    waiters.quickUntilMs = wasQuick ? this.clock.now() + QUICK_FOR_MS : 0;
    waiters.waiting[0]?.();
    if (this.receivers.size >= MAX_RECEIVERS) this.forgetIdle();
    this.receivers.set(receiver, waiters);
  }

  /** Waits up to 50 ms for the next free permit. Returns false at once if the receiver is not known to be quick. */
  async waitForPermit(receiver: string): Promise<boolean> {
    const waiters = this.receivers.get(receiver);
    if (!waiters || waiters.quickUntilMs < this.clock.now()) return false;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        waiters.waiting.splice(waiters.waiting.indexOf(end), 1);
        resolve();
      };
      const timer = setTimeout(end, MAX_WAIT_MS);
      waiters.waiting.push(end);
    });
    return true;
  }

  private forgetIdle(): void {
    for (const [receiver, { quickUntilMs, waiting }] of this.receivers) {
      if (quickUntilMs < this.clock.now() && waiting.length === 0) this.receivers.delete(receiver);
    }
  }
}
