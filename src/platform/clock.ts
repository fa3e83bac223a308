/** Live code uses the server's clock; tests and simulations pass their own. */
export interface Clock {
  /** Whole milliseconds since the Unix epoch. */
  now(): number;
  /** Sets the clock to MySQL's time, measured within `toMs`. Returns how many ms the machine is ahead. */
  synchronize?(serverMs: number, toMs?: number): number;
}

/** Smaller differences are ignored: the measurement takes time. */
const TOLERATED_MS = 500;

/** The machine's clock, corrected by MySQL's, so that all processes agree. */
export class ServerClock implements Clock {
  private correctionMs = 0;

  constructor(private readonly machine: () => number = Date.now) {}

  now(): number {
    return this.machine() + this.correctionMs;
  }

  /** Keeps the clock if it may be right. */
  synchronize(serverMs: number, toMs = 0): number {
    const aheadMs = Math.round(this.machine() - serverMs);
    if (toMs <= TOLERATED_MS || Math.abs(aheadMs + this.correctionMs) > TOLERATED_MS + toMs) {
      this.correctionMs = Math.abs(aheadMs) > TOLERATED_MS ? -aheadMs : 0;
    }
    return aheadMs;
  }
}

export const systemClock: Clock = { now: () => Date.now() };
