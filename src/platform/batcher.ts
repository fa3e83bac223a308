interface Waiting<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

export interface BatcherLimits<T> {
  most: number;
  /** Maximum number of concurrent runs. Beyond it, items gather for the next run. */
  atOnce: number;
  /** How long items gather after a run of these, in ms. */
  lingerMs?: (items: readonly T[]) => number;
}

/**
 * Calls of one tick, and calls during runs or lingering, share a run. The first call waits for no timer. If a run
 * fails, all of its calls fail.
 */
export class Batcher<T, R> {
  private readonly waiting: Waiting<T, R>[] = [];
  private running = 0;

  constructor(
    private readonly run: (items: readonly T[]) => Promise<readonly R[]>,
    private readonly limits: BatcherLimits<T>,
  ) {}

  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      setImmediate(() => this.runNext());
    });
  }

  private runNext(): void {
    if (this.running >= this.limits.atOnce || this.waiting.length === 0) return;
    this.running += 1;
    void this.settle(this.waiting.splice(0, this.limits.most)).finally(() => {
      this.running -= 1;
      this.runNext();
    });
  }

  private async settle(group: readonly Waiting<T, R>[]): Promise<void> {
    const items = group.map(({ item }) => item);
    try {
      const results = await this.run(items);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as R); // one for each
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    const lingerMs = this.limits.lingerMs?.(items);
    if (lingerMs) await new Promise((resolve) => setTimeout(resolve, lingerMs));
  }
}
