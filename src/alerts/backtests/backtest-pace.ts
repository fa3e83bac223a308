import { throwIfCancelled } from '../../storage/cancellation';

/** After this time a backtest yields to other requests of the process. */
const SLICE_MS = 20;

/** The time of one backtest, which pauses and ends. */
export class BacktestPace {
  private yieldedAt = performance.now();

  constructor(
    /** By `performance.now()`. */
    private readonly endsAt: number,
    /** Lets other work of the process come first. */
    private readonly pause: () => Promise<void>,
  ) {}

  /** True if its time is used up. */
  get isOver(): boolean {
    return performance.now() > this.endsAt;
  }

  /** True if other work should run now. */
  get isPauseDue(): boolean {
    return performance.now() - this.yieldedAt > SLICE_MS;
  }

  /** Lets other work run. Throws if the client has disconnected. */
  async yield(): Promise<void> {
    await this.pause();
    throwIfCancelled();
    this.yieldedAt = performance.now();
  }
}
