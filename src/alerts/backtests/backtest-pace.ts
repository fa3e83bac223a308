import { throwIfCancelled } from '../../storage/cancellation';

/** Yields to other requests after this time. */
const SLICE_MS = 20;

export class BacktestPace {
  private yieldedAt = performance.now();

  constructor(
    private readonly endsAt: number,
    /** Lets other work of the process run. */
    private readonly pause: () => Promise<void>,
  ) {}

  get isOver(): boolean {
    return performance.now() > this.endsAt;
  }

  get isPauseDue(): boolean {
    return performance.now() - this.yieldedAt > SLICE_MS;
  }

  /** Throws if the client has disconnected. */
  async yield(): Promise<void> {
    await this.pause();
    throwIfCancelled();
    this.yieldedAt = performance.now();
  }
}
