/**
 * The source of the current time, an integer. Live code uses the server's clock; tests and simulations pass their own.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Sets the clock to MySQL's time, which was measured with an accuracy of `toMs`. Returns how many ms the machine's
   * clock is ahead. Only a live clock has this method.
   */
  synchronize?(serverMs: number, toMs?: number): number;
}

/** Smaller differences are ignored, because the measurement takes time. */
const TOLERATED_MS = 500;

/**
 * The clock of the machine, corrected by MySQL's clock, so that all processes agree even if a machine's clock is wrong.
 */
export class ServerClock implements Clock {
  private correctionMs = 0;

  constructor(private readonly machine: () => number = Date.now) {}

  now(): number {
    return this.machine() + this.correctionMs;
  }

  /** A slow measurement is inaccurate: the clock is left alone if it may be right. */
  synchronize(serverMs: number, toMs = 0): number {
    const aheadMs = Math.round(this.machine() - serverMs);
    if (toMs <= TOLERATED_MS || Math.abs(aheadMs + this.correctionMs) > TOLERATED_MS + toMs) {
      this.correctionMs = Math.abs(aheadMs) > TOLERATED_MS ? -aheadMs : 0;
    }
    return aheadMs;
  }
}

export const systemClock: Clock = { now: () => Date.now() };
