/** Turns of the backtests of a process: between two of them, whose ever they are, everything else has its turn. */
export class BacktestPermits {
  private last: Promise<void> = Promise.resolve();

  /** Waits for one's turn. */
  next(): Promise<void> {
    this.last = this.last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.last;
  }
}
