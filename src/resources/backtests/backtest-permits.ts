/**
 * Interleaves the backtests of a process with its other work: between two slices of any backtests, everything else can
 * run.
 */
export class BacktestPermits {
  private last: Promise<void> = Promise.resolve();

  /** Waits for the next slice. */
  next(): Promise<void> {
    this.last = this.last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.last;
  }
}
